"""What is true of one dataset's meaning representations only: a file a domain, which gives its `DOMAIN`."""

from rainbow.meaning.domains.domain import Domain, domain_of

__all__ = ["Domain", "domain_of"]
