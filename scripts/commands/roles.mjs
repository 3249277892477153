import * as z from 'zod'
import { arg, commas, count, Done, declareGroup, given, option, yesNo } from '../lib/command-line/declare.mjs'
import { findRole } from '../lib/command-line/find-by-name.mjs'

const Role = z.object({
  id: z.string(),
  name: z.string(),
  color: z.string(),
  position: z.int(),
  permission_names: z.array(z.string()),
  highlighted: z.boolean(),
  require_two_factor: z.boolean(),
  collection_limit: z.int(),
})

const position = z
  .string()
  .regex(/^-?\d{1,9}$/, 'must be a whole number')
  .transform(Number)

const fields = {
  permissions: option(
    'LIST',
    'Names with commas, as manage_reports,manage_users; they replace those it has',
    commas,
  ),
  position: option('NUMBER', 'Nobody acts on a role that stands as high or higher', position),
  color: option('#rrggbb', 'Colour of the badge'),
  highlighted: option('yes|no', 'Whether profiles show a badge', yesNo),
  'two-factor': option('yes|no', 'Whether its members have to set up a second factor', yesNo),
  collections: option('NUMBER', 'Number of collections that a member may have', count),
}

export const group = declareGroup({
  name: 'roles',
  summary: 'Roles of staff and their permissions; accounts role gives one to a member',
  notes: ['The role of everybody is called everyone.'],
  commands: [
    {
      name: 'list',
      summary: 'Roles, the highest first, with their permissions',
      route: 'GET /api/fieldfare/v1/admin/roles',
      result: z.object({ roles: z.array(Role) }),
      key: 'roles',
      lines: ({ roles }) => roles.map(lineOf),
    },
    {
      name: 'add',
      summary: 'Adds a role, which stands below all others unless --position says otherwise',
      args: [arg('NAME', 'Name of the role')],
      options: fields,
      route: 'POST /api/fieldfare/v1/admin/roles',
      result: Done,
      body: (input) => ({ name: input.name, ...fieldsOf(input) }),
      lines: (_result, { name }) => [`The role ${name} is added.`],
    },
    {
      name: 'change',
      summary: 'Changes what is given, and nothing else',
      args: [arg('NAME', 'Name of the role')],
      options: { ...fields, rename: option('NAME', 'Another name') },
      check: (input) =>
        Object.keys(fieldsOf(input)).length === 0 ? 'An option has to say what changes' : null,
      calls: ['GET /api/fieldfare/v1/admin/roles', 'PUT /api/fieldfare/v1/admin/roles/:id'],
      result: Done,
      run: async ({ input, instance }) => {
        const { id } = await findRole(instance, input.name)
        return instance.admin('PUT', `roles/${id}`, fieldsOf(input))
      },
      lines: (_result, { name }) => [`The role ${name} is changed.`],
    },
    {
      name: 'remove',
      summary: 'Removes a role; its members have none afterwards',
      args: [arg('NAME', 'Name of the role')],
      calls: ['GET /api/fieldfare/v1/admin/roles', 'DELETE /api/fieldfare/v1/admin/roles/:id'],
      result: Done,
      destroys: ({ name }) => `remove the role ${name}, whose members have none afterwards`,
      run: async ({ input, instance }) => {
        const { id } = await findRole(instance, input.name)
        return instance.admin('DELETE', `roles/${id}`)
      },
      lines: (_result, { name }) => [`The role ${name} is removed.`],
    },
  ],
})

function fieldsOf({ rename, color, position: place, permissions, highlighted, twoFactor, collections }) {
  return given({
    name: rename,
    color,
    position: place,
    permissions,
    highlighted,
    require_two_factor: twoFactor,
    collection_limit: collections,
  })
}

function lineOf({ id, name, position: place, permission_names: names, require_two_factor: needs }) {
  const words = [Number(id) < 0 ? 'everyone' : name, place, names.join(',') || 'no permissions']
  return [...words, ...(needs ? ['two-factor'] : [])].join('  ')
}
