import * as z from 'zod'
import { AdminRule } from '../../contract/entities/admin/instance'
import { Id, IdList } from '../../contract/scalars'
import { execute } from '../../db/query'
import {
  createRule,
  deleteRule,
  findRule,
  loadRules,
  orderRules,
  type RuleOrder,
  ruleOrNotFound,
  saveRules,
  updateRule,
} from '../../domain/instance/rules'
import type { Ctx } from '../../ports/ctx'
import { presentAdminRule } from '../../view/present/admin-instance'
import { showFound } from '../api-response'
import { endpoint, readEndpoint, staff, updateEndpoints } from '../endpoint'

const path = '/api/fieldfare/v1/admin/rules'
const reading = staff('admin:read', 'manageRules')
const writing = staff('admin:write', 'manageRules')

const ById = z.object({ id: Id })
const Words = z.object({ text: z.string(), hint: z.string().nullish() }).transform(({ text, hint }) => ({
  text,
  hint: hint ?? '',
}))
const Fields = z.object({
  text: z.string().optional(),
  hint: z.string().nullish(),
  translations: z.record(z.string(), Words).optional(),
})

export const adminRules = [
  readEndpoint({
    path,
    summary: 'The rules in their order',
    auth: reading,
    output: z.array(AdminRule),
    read: loadRules,
    show: (_ctx, { found }) => found.map(presentAdminRule),
  }),
  endpoint({
    path,
    summary: 'Adds a rule behind the others',
    auth: writing,
    input: Fields.extend({ text: z.string() }),
    output: AdminRule,
    run: async (ctx, { input, viewer }) => {
      const { text, hint, translations = {} } = input
      return presentById(ctx, await createRule(ctx, viewer, { text, hint: hint ?? '', translations }))
    },
  }),
  endpoint({
    method: 'PUT',
    path,
    summary: 'Replaces all rules; those whose text stays keep their ids and translations',
    auth: writing,
    input: z.object({ rules: z.array(Words) }),
    output: z.array(AdminRule),
    run: async (ctx, { input, viewer }) => {
      await saveRules(ctx, viewer, input.rules)
      return (await execute(ctx.db, loadRules(ctx))).map(presentAdminRule)
    },
  }),
  endpoint({
    path: `${path}/order`,
    summary: 'Puts the rules into the order of `ids`, which names all of them',
    auth: writing,
    input: z.object({ ids: IdList }),
    output: z.array(AdminRule),
    run: async (ctx, { input, viewer }) => {
      await orderRules(ctx, viewer, input.ids)
      return (await execute(ctx.db, loadRules(ctx))).map(presentAdminRule)
    },
  }),
  readEndpoint({
    path: `${path}/:id`,
    summary: 'One rule',
    auth: reading,
    input: ById,
    output: AdminRule,
    read: (ctx, { input }) => findRule(ctx, input.id),
    show: showFound(presentAdminRule),
  }),
  ...updateEndpoints({
    path: `${path}/:id`,
    summary: 'Changes a rule; fields that are left out stay, translations are replaced as a whole',
    auth: writing,
    input: Fields.extend(ById.shape),
    output: AdminRule,
    run: async (ctx, { input, viewer }) => {
      await updateRule(ctx, viewer, input.id, orderOf(input))
      return presentById(ctx, input.id)
    },
  }),
  endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Deletes a rule',
    auth: writing,
    input: ById,
    run: (ctx, { input, viewer }) => deleteRule(ctx, viewer, input.id),
  }),
]

function orderOf({ text, hint, translations }: z.output<typeof Fields>): Partial<RuleOrder> {
  return {
    ...(text === undefined ? {} : { text }),
    ...(hint === undefined ? {} : { hint: hint ?? '' }),
    ...(translations === undefined ? {} : { translations }),
  }
}

async function presentById(ctx: Ctx, id: number) {
  return presentAdminRule(await ruleOrNotFound(ctx, id))
}
