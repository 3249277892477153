// `npm run settings -- title="My server" registrations=approval rule="Be kind" rule="No spam"`
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { order, stop, targetOptions } from './lib/target.mjs'

const usage = `npm run settings -- NAME=VALUE ... [--url https://...]

  title, shortDescription, extendedDescription, registrations (open, approval, closed), registrationsMessage,
  minimumAge, contactUsername, contactEmail, privacyPolicy, termsOfService, statusUrl,
  languages, blockedEmailDomains and featuredAccounts (lists with commas), rule (once for each; they replace all rules),
  trendMinimumAccounts (a number),
  peersApi, activityApi, profileDirectory, trends, trendableByDefault, closeUnattended, quarantineMentions,
  signUpChallenge (true, false),
  domainBlocksShownTo, domainBlockReasonsShownTo (all, users, nobody),
  localFeedAccess, remoteFeedAccess, localTagAccess, remoteTagAccess (public, authenticated, disabled)

thumbnail=@FILE is the picture of the server (JPEG, PNG, GIF or WebP, at most 700 KB; by API 8 MB), described by
thumbnailDescription.
NAME=@FILE reads the value from a file, NAME=null clears it. Elsewhere than on this machine, SETUP_TOKEN must hold
the set-up token of the instance.`

const lists = ['languages', 'blockedEmailDomains', 'featuredAccounts']

const { values, positionals } = parseArgs({ options: targetOptions, allowPositionals: true })
if (positionals.length === 0) stop(usage)

const pairs = positionals.map(pairOf)
const rules = pairs.filter(([name]) => name === 'rule').map(([, value]) => value)
const settings = Object.fromEntries(pairs.filter(([name]) => name !== 'rule'))
await order(values, 'PUT', 'settings', { ...settings, ...(rules.length === 0 ? {} : { rules }) })
console.log('Saved.')

function pairOf(argument) {
  const at = argument.indexOf('=')
  if (at < 1) stop(`${argument} is no NAME=VALUE.\n\n${usage}`)
  const name = argument.slice(0, at)
  const given = argument.slice(at + 1)
  if (name === 'thumbnail') return [name, readPicture(given)]
  const text = given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given
  return [name, readValue(name, text)]
}

function readPicture(given) {
  if (given === 'null') return null
  if (!given.startsWith('@')) stop(`thumbnail has to be @FILE or null.\n\n${usage}`)
  return readFileSync(given.slice(1)).toString('base64')
}

function readValue(name, text) {
  if (text === 'null') return null
  if (!lists.includes(name)) return text
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
