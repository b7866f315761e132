"""A network of gated recurrent units that reads texts: trained by PyTorch, served by NumPy alone."""
