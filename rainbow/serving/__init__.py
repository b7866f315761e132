"""What calls a score from outside: rewards, scorers, compute, scikit-learn."""
