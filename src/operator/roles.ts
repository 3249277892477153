import { Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import { baseRole, permissionBits } from '../domain/policy/permissions'
import {
  createRole,
  deleteRole,
  findRole,
  findRoleByName,
  findRoles,
  type Role,
  type RoleOrder,
  updateRole,
} from '../domain/users/roles'
import { validationFailed } from '../errors'
import type { Ctx } from '../ports/ctx'
import { presentAdminRole } from '../view/present/admin-sign-up'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Named = z.object({ name: z.string() })
const Fields = z.object({
  rename: z.string().exactOptional(),
  color: z.string().exactOptional(),
  position: z.coerce.number().int().exactOptional(),
  permissions: z.array(z.string()).exactOptional(),
  highlighted: z.boolean().exactOptional(),
  require_two_factor: z.boolean().exactOptional(),
  collection_limit: z.coerce.number().int().exactOptional(),
})
const Order = Named.extend(Fields.shape)

/** Name of the base role for scripts; it has none of its own. */
const everyone = 'everyone'

const newRole: Omit<RoleOrder, 'name'> = {
  color: '',
  position: 1,
  permissions: 0,
  highlighted: false,
  requireTwoFactor: false,
  collectionLimit: 10,
}

/** Routes about roles for operators without a panel. Mounted behind the set-up token. */
export function roleRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/roles/list', async (c) => {
    const ctx = c.get('ctx')
    return c.json({ roles: (await execute(ctx.db, findRoles(ctx))).map(presentAdminRole) })
  })
  app.post('/setup/roles/add', async (c) => {
    const { name, ...fields } = await readInput(c, Order)
    await createRole(c.get('ctx'), c.get('moderator'), { ...newRole, ...orderOf(fields), name })
    return c.json({})
  })
  app.post('/setup/roles/change', async (c) => {
    const ctx = c.get('ctx')
    const { name, ...fields } = await readInput(c, Order)
    await updateRole(ctx, c.get('moderator'), (await roleNamed(ctx, name)).id, orderOf(fields))
    return c.json({})
  })
  app.post('/setup/roles/remove', async (c) => {
    const ctx = c.get('ctx')
    await deleteRole(ctx, c.get('moderator'), (await roleNamed(ctx, (await readInput(c, Named)).name)).id)
    return c.json({})
  })
  return app
}

async function roleNamed(ctx: Ctx, name: string): Promise<Role> {
  const found = name.toLowerCase() === everyone ? findRole(ctx, baseRole) : findRoleByName(ctx, name)
  const role = await execute(ctx.db, found)
  if (role === null) throw validationFailed(`There is no role ${name}`)
  return role
}

function orderOf(fields: z.output<typeof Fields>): Partial<RoleOrder> {
  const { rename, color, position, permissions, highlighted } = fields
  const { require_two_factor: requireTwoFactor, collection_limit: collectionLimit } = fields
  return {
    ...(rename === undefined ? {} : { name: rename }),
    ...(color === undefined ? {} : { color }),
    ...(position === undefined ? {} : { position }),
    ...(permissions === undefined ? {} : { permissions: bitsOf(permissions) }),
    ...(highlighted === undefined ? {} : { highlighted }),
    ...(requireTwoFactor === undefined ? {} : { requireTwoFactor }),
    ...(collectionLimit === undefined ? {} : { collectionLimit }),
  }
}

/** Bits of permissions by Mastodon's names. `Invalid` for others. */
function bitsOf(names: readonly string[]): number {
  return names.reduce((bits, name) => {
    const bit = permissionBits.get(name)
    if (bit === undefined) throw validationFailed(`There is no permission ${name}`)
    return bits | bit
  }, 0)
}
