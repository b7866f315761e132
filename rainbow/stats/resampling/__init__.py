"""What is drawn, and what follows from the draws: bootstrap, randomisation."""
