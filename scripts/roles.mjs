// `npm run roles -- add NAME --permissions manage_reports`: what staff may do; `npm run members -- role` assigns one.
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run roles -- COMMAND [--url https://...]

  list               roles, the highest first, with their permissions
  add NAME           a role that stands below no other unless --position says so
  change NAME        only what is given; the role of everybody is called everyone
      [--permissions LIST]      names with commas, as manage_reports,manage_users; they replace those it has
      [--position NUMBER]       nobody acts on a role that stands as high or higher
      [--color #rrggbb] [--highlighted yes|no]
      [--two-factor yes|no]     whether its members have to set up a second factor
      [--collections NUMBER]    how many collections a member may have
      [--rename NAME]
  remove NAME        its members have none afterwards

Elsewhere than on this machine, SETUP_TOKEN must hold the set-up token of the instance.`

const text = { type: 'string' }
const options = {
  ...targetOptions,
  permissions: text,
  position: text,
  color: text,
  highlighted: text,
  'two-factor': text,
  collections: text,
  rename: text,
}
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const [command, name, ...more] = positionals
const fields = fieldsOf(values)
const hasFields = Object.keys(fields).length > 0
const send = (verb, body) => order(values, 'POST', `roles/${verb}`, body)

if (more.length > 0) stop(usage)
else if (command === 'list' && name === undefined && !hasFields) await list()
else if (name === undefined) stop(usage)
else if (command === 'add' && fields.rename === undefined) await done('added')
else if (command === 'change' && hasFields) await done('changed')
else if (command === 'remove' && !hasFields) await done('removed')
else stop(usage)

async function done(word) {
  await send(command, { name, ...fields })
  console.log(`The role ${name} is ${word}.`)
}

function fieldsOf(given) {
  const { permissions, highlighted, collections, 'two-factor': twoFactor } = given
  const named = Object.entries({
    rename: given.rename,
    color: given.color,
    position: given.position,
    permissions: permissions?.split(',').flatMap((part) => part.trim() || []),
    highlighted: answer(highlighted),
    require_two_factor: answer(twoFactor),
    collection_limit: collections,
  })
  return Object.fromEntries(named.filter(([, value]) => value !== undefined))
}

function answer(word) {
  if (word === undefined) return undefined
  return word === 'yes' || (word === 'no' ? false : stop(usage))
}

async function list() {
  const { roles } = await send('list', {})
  for (const { id, name: called, position, permission_names: names, require_two_factor: needs } of roles) {
    const words = [Number(id) < 0 ? 'everyone' : called, position, names.join(',') || 'no permissions']
    console.log([...words, ...(needs ? ['two-factor'] : [])].join('  '))
  }
}
