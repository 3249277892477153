// Rotation of INSTANCE_SECRET in a file of secrets: what the file holds before and after. Nothing here prints a secret.
import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Problem } from './problem.mjs'

/** Further secrets that the server accepts at most (src/lib/secrets.ts). */
const mostAccepted = 4

export function newSecret() {
  return randomBytes(32).toString('base64url')
}

/** Name of a secret, as the server derives it (src/lib/secrets.ts): says nothing about the secret. */
export function versionOf(secret) {
  const mac = createHmac('sha256', secret).update('fieldfare version of the instance secret')
  return mac.digest('hex').slice(0, 8)
}

/** Secrets that are accepted besides the current one. */
export function acceptedIn({ ACCEPTED_INSTANCE_SECRETS: text = '' }) {
  if (text === '') return []
  try {
    const list = JSON.parse(text)
    return Array.isArray(list) ? list : [text]
  } catch (failure) {
    if (failure instanceof SyntaxError) return [text]
    throw failure
  }
}

/**
 * The next step of a rotation. `introduced`: the next secret is accepted everywhere before anything is made with it, so
 * that no part of a server that is being deployed meets what it does not know. `current`: it is the current one.
 *
 * A server of one process needs no introduction: `isAtOnce`.
 */
export function nextStep(secrets, { isAtOnce = false } = {}) {
  const { INSTANCE_SECRET: current } = secrets
  const accepted = acceptedIn(secrets)
  const isIntroduced = accepted.includes(current) && accepted[0] !== current
  const others = accepted.filter((secret) => secret !== current && (!isIntroduced || secret !== accepted[0]))
  if (others.length + 1 >= mostAccepted)
    throw new Problem(
      `${others.length} former secrets are accepted still. Drop them before the next rotation: npx fieldfare secrets drop`,
    )
  const next = isIntroduced ? accepted[0] : newSecret()
  if (isIntroduced || isAtOnce)
    return {
      step: 'current',
      next,
      secrets: { ...secrets, INSTANCE_SECRET: next, ...acceptedAs([current, ...others]) },
    }
  return { step: 'introduced', next, secrets: { ...secrets, ...acceptedAs([next, current, ...others]) } }
}

/** The secrets without former ones. */
export function withoutFormer({ ACCEPTED_INSTANCE_SECRETS: _accepted, ...secrets }) {
  return secrets
}

function acceptedAs(list) {
  return { ACCEPTED_INSTANCE_SECRETS: JSON.stringify(list) }
}

/** Reads a file of secrets, such as `wrangler deploy --secrets-file` takes. */
export function readSecretsFile(file) {
  if (!existsSync(file)) throw new Problem(`${file} is not there.`)
  const broken = new Problem(
    `${file} holds no INSTANCE_SECRET: it has to be JSON, as npm start and the install steps make it.`,
  )
  try {
    const secrets = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof secrets?.INSTANCE_SECRET === 'string') return secrets
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure
  }
  throw broken
}

/** Replaces the file atomically: after a crash it is the previous one. */
export function writeSecretsFile(file, secrets) {
  const temporary = `${file}.${process.pid}.new`
  writeFileSync(temporary, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, file)
}
