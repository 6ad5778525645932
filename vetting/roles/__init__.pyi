from .declared import SlotRoles as SlotRoles
from .declared import with_region_roles as with_region_roles
from .item_role import GAP as GAP
from .item_role import ItemRole as ItemRole
from .item_role import ItemRoles as ItemRoles
from .item_role import Origin as Origin
from .reading import RoleReader as RoleReader
from .reading import shared_reader as shared_reader
