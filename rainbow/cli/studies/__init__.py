"""Commands for whoever plans a study of ratings, or has few of them."""
