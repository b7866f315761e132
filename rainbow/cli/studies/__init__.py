"""Commands for whoever plans a study of ratings, has few of them, or asks a model for them."""
