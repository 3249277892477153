import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { AdminAccount } from '../../contract/entities/admin/account'
import { AdminRole } from '../../contract/entities/admin/sign-up'
import { Flag, Id } from '../../contract/scalars'
import { execute, orNotFound } from '../../db/query'
import { baseRole, permissionBits } from '../../domain/policy/permissions'
import {
  assignRole,
  createRole,
  deleteRole,
  findRole,
  findRoles,
  type RoleOrder,
  updateRole,
} from '../../domain/users/roles'
import { Invalid } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { loadAdminAccounts } from '../../view/load/admin-accounts'
import { presentOnlyAdminAccount } from '../../view/present/admin-account'
import { presentAdminRole } from '../../view/present/admin-sign-up'
import { showFound } from '../api-response'
import { endpoint, readEndpoint, staff, updateEndpoints } from '../endpoint'

const path = '/api/fieldfare/v1/admin/roles'
const reading = staff('admin:read', 'manageRoles')
const writing = staff('admin:write', 'manageRoles')

/** Id of a role: that of the base role is negative. */
const RoleIdText = z.union([z.string(), z.number()]).transform((sent) => {
  const id = Number(sent)
  return id === baseRole || (Number.isSafeInteger(id) && id > 0) ? id : 0
})
const ById = z.object({ id: RoleIdText })

/** Permissions as bits, or as a list of Mastodon's names. */
const Permissions = z.union([z.coerce.number().int().min(0), z.array(z.string())]).transform((sent) => {
  if (typeof sent === 'number') return sent
  return sent.reduce((bits, name) => {
    const bit = permissionBits.get(name)
    if (bit === undefined) throw new Invalid('unknown_permission', { name })
    return bits | bit
  }, 0)
})

const Fields = z.object({
  name: z.string().optional(),
  color: z.string().nullish(),
  position: z.coerce.number().int().optional(),
  permissions: Permissions.optional(),
  highlighted: Flag,
  require_two_factor: Flag,
  collection_limit: z.coerce.number().int().optional(),
})

export const adminRoles = [
  readEndpoint({
    path,
    summary: 'Every role, the highest first',
    auth: reading,
    output: z.array(AdminRole),
    read: (ctx) => findRoles(ctx),
    show: (_ctx, { found }) => found.map(presentAdminRole),
  }),
  endpoint({
    path,
    summary: 'Creates a role below that of the caller, with no more permissions',
    auth: writing,
    input: Fields.extend({ name: z.string() }),
    output: AdminRole,
    run: async (ctx, { input, viewer }) =>
      presentById(ctx, await createRole(ctx, viewer, { ...newRole, name: input.name, ...orderOf(input) })),
  }),
  readEndpoint({
    path: `${path}/:id`,
    summary: 'One role',
    auth: reading,
    input: ById,
    output: AdminRole,
    read: (ctx, { input }) => findRole(ctx, input.id),
    show: showFound(presentAdminRole),
  }),
  ...updateEndpoints({
    path: `${path}/:id`,
    summary: 'Changes a role; fields that are left out stay',
    auth: writing,
    input: Fields.extend(ById.shape),
    output: AdminRole,
    run: async (ctx, { input, viewer }) => {
      await updateRole(ctx, viewer, input.id, orderOf(input))
      return presentById(ctx, input.id)
    },
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Deletes a role; its holders have none afterwards',
    auth: writing,
    input: ById,
    run: (ctx, { input, viewer }) => deleteRole(ctx, viewer, input.id),
  }),
  ...updateEndpoints({
    path: '/api/fieldfare/v1/admin/accounts/:id/role',
    summary: 'Assigns a role to a local account; without `role_id` it has none',
    auth: writing,
    input: z.object({ id: Id, role_id: RoleIdText.nullish() }),
    output: AdminAccount,
    run: async (ctx, { input, viewer }) => {
      await assignRole(ctx, viewer, input.id, input.role_id ?? null)
      const found = loadAdminAccounts(ctx, sql`select ${input.id} as id, 0 as cursor`)
      return presentOnlyAdminAccount(ctx.config, await execute(ctx.db, found))
    },
  }),
]

const newRole: Omit<RoleOrder, 'name'> = {
  color: '',
  position: 1,
  permissions: 0,
  highlighted: false,
  requireTwoFactor: false,
  collectionLimit: 10,
}

function orderOf(input: z.output<typeof Fields>): Partial<RoleOrder> {
  const { name, color, position, highlighted } = input
  const { require_two_factor: requireTwoFactor, collection_limit: collectionLimit } = input
  return {
    ...(name === undefined ? {} : { name }),
    ...(color === undefined ? {} : { color: color ?? '' }),
    ...(position === undefined ? {} : { position }),
    ...(input.permissions === undefined ? {} : { permissions: input.permissions }),
    ...(highlighted === undefined ? {} : { highlighted }),
    ...(requireTwoFactor === undefined ? {} : { requireTwoFactor }),
    ...(collectionLimit === undefined ? {} : { collectionLimit }),
  }
}

async function presentById(ctx: Ctx, id: number) {
  const role = await execute(ctx.db, orNotFound(findRole(ctx, id)))
  return presentAdminRole(role)
}
