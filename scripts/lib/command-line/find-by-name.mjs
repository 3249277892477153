// Accounts, roles and emojis by their names.
import { Problem } from '../problem.mjs'

/** The account with this name, `name` or `name@host`, as moderators see it. */
export function findAccount(instance, name) {
  return instance.admin('GET', 'accounts/lookup', { acct: name })
}

/** The role with this name; `everyone` is the one of all members, which has none of its own. */
export async function findRole(instance, name) {
  const wanted = name.toLowerCase()
  const isWanted = ({ id, name: own }) =>
    Number(id) < 0 ? wanted === 'everyone' : own.toLowerCase() === wanted
  const found = (await instance.admin('GET', 'roles')).find(isWanted)
  if (found === undefined) throw new Problem(`There is no role ${name}. npx fieldfare roles list lists them.`)
  return found
}

/** The custom emoji of this server with this shortcode. */
export async function findEmoji(instance, shortcode) {
  const alike = await instance.every('/api/fieldfare/v1/admin/custom_emojis', { q: shortcode, limit: 200 })
  const found = alike.find((emoji) => emoji.shortcode === shortcode)
  if (found === undefined)
    throw new Problem(`There is no emoji ${shortcode}. npx fieldfare emojis list lists them.`)
  return found
}
