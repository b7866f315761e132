"""Language models as judges: templates, requests, answers and ratings."""
