import type { Role } from '../../contract/entities/role'
import type { roles } from '../../db/schema'
import { effectivePermissions } from '../../domain/policy/permissions'

export type RoleFacts = Pick<
  typeof roles.$inferSelect,
  'id' | 'name' | 'color' | 'permissions' | 'highlighted' | 'collectionLimit'
>

/**
 * Presents a role with its effective permissions: administrators have every permission, no role fewer than
 * `basicPermissions`, those of the base role.
 */
export function presentRole(role: RoleFacts, basicPermissions: number): Role {
  return {
    id: String(role.id),
    name: role.name,
    color: role.color,
    permissions: String(effectivePermissions(role.permissions | basicPermissions)),
    highlighted: role.highlighted,
    collection_limit: role.collectionLimit,
  }
}
