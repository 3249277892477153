// Answers of the operator and ids of what was made in their account, in deployment.local.json: no secrets, and no part of
// the repository, so that `git pull` finds nothing in its way.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import * as z from 'zod'
import { Problem } from '../problem.mjs'

const mostUpgrades = 20

const isDomain = (text) =>
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(text) &&
  !/(^|\.)(localhost|local|test|invalid|workers\.dev)$/.test(text)

/** Services that a server works without, and what it lacks then. */
export const optionalServices = {
  images:
    'pictures are kept as uploaded, without their metadata; HEIC, AVIF and those above 8 megapixels are refused, and there are no previews',
  email:
    'no mail is sent: addresses are confirmed at once, and passwords reset by npx fieldfare accounts password',
  queues: 'jobs run by Durable Objects instead; what waits in them is in no figure of /health and /metrics',
}

/** Answers of the operator. The messages complete the sentence "NAME has to be ...". */
export const answers = {
  domain: z
    .string()
    .transform((text) => domainToASCII(text.trim()) || text)
    .refine(isDomain, 'a domain that is a zone of your account, or below one, such as social.example.org'),
  owner: z.string().regex(/^[a-z0-9_]{1,30}$/i, 'a user name of at most 30 letters, digits and underscores'),
  email: z.email('the e-mail address of the owner, such as you@example.org'),
  plan: z.enum(['free', 'paid'], 'free or paid'),
}

/** An answer of the operator; a `Problem` for one that cannot be. */
export function readAnswer(name, text) {
  const parsed = answers[name].safeParse(text)
  if (parsed.success) return parsed.data
  throw new Problem(`${name} has to be ${parsed.error.issues[0].message}.`)
}

const Upgrade = z.object({
  time: z.string(),
  /** Version of the Worker before, to which a rollback leads; null for the first deployment. */
  versionBefore: z.string().nullable(),
  /** State of the database before. */
  bookmark: z.string().nullable(),
  migrations: z.array(z.string()),
  durableObjects: z.string(),
})

const Deployment = z.object({
  ...answers,
  /** Name of the Worker, its database, bucket and queues. */
  worker: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,40}$/, 'of small letters, digits and hyphens, 41 at most')
    .default('fieldfare'),
  accountId: z.string().nullable().default(null),
  databaseId: z.string().nullable().default(null),
  /** Services that the operator does without. */
  without: z.array(z.enum(Object.keys(optionalServices))).default([]),
  /** Services that the account was found to lack; looked for with every deployment. */
  lacking: z.array(z.enum(Object.keys(optionalServices))).default([]),
  /** Variables of docs/operate/configure.md. */
  variables: z.record(z.string(), z.string()).default({}),
  /** Name of the backup whose rows were sent to the database, and of that which is restored with its objects. */
  restoring: z.string().nullable().default(null),
  restored: z.string().nullable().default(null),
  durableObjects: z.string().nullable().default(null),
  /** Release or commit of the last deployment, in words. */
  release: z.string().nullable().default(null),
  isOpen: z.boolean().default(false),
  upgrades: z.array(Upgrade).default([]),
})

const fileOf = (folder) => join(folder, 'deployment.local.json')

/** The deployment of a folder; null if missing. */
export function readDeployment(folder) {
  const file = fileOf(folder)
  if (!existsSync(file)) return null
  const parsed = Deployment.safeParse(parseJson(file))
  if (parsed.success) return parsed.data
  const [{ path, message }] = parsed.error.issues
  throw new Problem(`${file} cannot be used: ${path.join('.')} has to be ${message}.`)
}

/** Writes the deployment of a folder, whole or not at all. Returns it with its defaults. */
export function saveDeployment(folder, deployment) {
  const upgrades = (deployment.upgrades ?? []).slice(-mostUpgrades)
  const whole = Deployment.parse({ ...deployment, upgrades })
  const file = fileOf(folder)
  writeFileSync(`${file}.new`, `${JSON.stringify(whole, null, 2)}\n`)
  renameSync(`${file}.new`, file)
  return whole
}

function parseJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (failure) {
    if (failure instanceof SyntaxError) throw new Problem(`${file} is no JSON: ${failure.message}`)
    throw failure
  }
}
