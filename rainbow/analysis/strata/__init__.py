"""Where metrics fail."""
