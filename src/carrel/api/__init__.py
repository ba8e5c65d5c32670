"""How a service is spoken to: one face over both generations of the interface."""

from carrel.api.budget import background
from carrel.api.files import numbered, safe_name
from carrel.api.limits import Limits
from carrel.api.meter import Progress
from carrel.api.service import Capabilities, Quiet, Service, connect

__all__ = ["Capabilities", "Limits", "Progress", "Quiet", "Service", "background", "connect", "numbered", "safe_name"]
