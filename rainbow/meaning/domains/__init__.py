"""What is true of one dataset's meaning representations only."""
