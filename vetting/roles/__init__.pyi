from .declared import SlotRoles as SlotRoles
from .declared import with_region_roles as with_region_roles
from .model import GAP as GAP
from .model import ItemRole as ItemRole
from .model import ItemRoles as ItemRoles
from .model import Origin as Origin
from .reading import RoleReader as RoleReader
from .reading import shared_reader as shared_reader
