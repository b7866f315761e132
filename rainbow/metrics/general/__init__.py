"""General scores: human ratings of any kind of output, predicted from several rated corpora."""
