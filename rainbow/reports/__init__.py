"""Reports: self-contained HTML pages made from saved tables."""
