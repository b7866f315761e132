"""Which rows are held out, and how good the predictions for them are."""
