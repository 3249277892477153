import type { AdminRole } from '../../contract/entities/admin/role'
import type { roles } from '../../db/schema'
import { permissionBits } from '../../domain/policy/permissions'
import { timestamp } from './time'

/** Presents a role to administrators. */
export function presentAdminRole(role: typeof roles.$inferSelect): AdminRole {
  return {
    id: String(role.id),
    name: role.name,
    color: role.color,
    position: role.position,
    permissions: String(role.permissions),
    permission_names: [...permissionBits]
      .filter(([, bit]) => (role.permissions & bit) !== 0)
      .map(([name]) => name),
    highlighted: role.highlighted,
    require_two_factor: role.requireTwoFactor,
    collection_limit: role.collectionLimit,
    created_at: timestamp(role.createdAt),
    updated_at: timestamp(role.updatedAt),
  }
}
