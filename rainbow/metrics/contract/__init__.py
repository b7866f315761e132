"""What every metric keeps: the contract, the texts prepared for it, the registry."""
