"""What the log of a training with a reward shows."""
