// Variables of an instance on one's own machine: FOLDER/variables.json, beside its data and out of reach of git.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from './problem.mjs'

const fileOf = (folder) => join(folder, 'variables.json')

/**
 * The variables of a folder: { ORIGIN, … }, texts by name. A public address given with the first start is remembered:
 * all ids and links hold it, so another one is refused.
 */
export function readVariables(folder, origin) {
  const variables = read(folder)
  if (origin === undefined) return checked(variables, folder)
  const given = publicOrigin(origin)
  if (variables.ORIGIN === undefined) {
    const all = { ORIGIN: given, ...variables }
    mkdirSync(folder, { recursive: true })
    writeFileSync(fileOf(folder), `${JSON.stringify(all, null, 2)}\n`)
    return all
  }
  if (publicOrigin(variables.ORIGIN) !== given)
    throw new Problem(
      `This instance is ${variables.ORIGIN}. All ids and links hold that address, so it cannot change.`,
    )
  return variables
}

/** The variables without MAIL_FROM where no mail server is named: members would wait for mail that is never sent. */
export function withoutUnsentMail(variables, { SMTP_URL = variables.SMTP_URL }, log) {
  const { MAIL_FROM: from, ...others } = variables
  if (from === undefined || SMTP_URL !== undefined) return variables
  log(
    'No mail is sent: MAIL_FROM needs SMTP_URL beside it, the address of a mail server (docs/operate/move-off.md).',
  )
  return others
}

function checked(variables, folder) {
  if (variables.ORIGIN === undefined) return variables
  try {
    return { ...variables, ORIGIN: publicOrigin(variables.ORIGIN) }
  } catch (failure) {
    if (failure instanceof Problem) throw new Problem(`${fileOf(folder)}: ${failure.message}`)
    throw failure
  }
}

function read(folder) {
  const file = fileOf(folder)
  if (!existsSync(file)) return {}
  const broken = new Problem(
    `${file} has to be a JSON object of texts, as in {"MAX_STATUS_CHARACTERS": "1000"}.`,
  )
  try {
    const variables = JSON.parse(readFileSync(file, 'utf8'))
    const isObject = typeof variables === 'object' && variables !== null && !Array.isArray(variables)
    if (!isObject || Object.values(variables).some((value) => typeof value !== 'string')) throw broken
    return variables
  } catch (failure) {
    if (failure instanceof SyntaxError) throw broken
    throw failure
  }
}

/** An address that others can reach, without a path. */
function publicOrigin(text) {
  const address = URL.canParse(text) ? new URL(text) : null
  const isPublic =
    address?.protocol === 'https:' && !/^(localhost|127\.|\[::1\]|.*\.localhost$)/.test(address.hostname)
  const isBare = address !== null && address.pathname === '/' && address.search === '' && address.hash === ''
  if (isPublic && isBare && address.username === '') return address.origin
  throw new Problem(`${text} is no public address such as https://social.example.org.`)
}
