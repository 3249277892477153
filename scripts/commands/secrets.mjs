import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { declareGroup, option } from '../lib/command-line/declare.mjs'
import { Problem } from '../lib/problem.mjs'
import {
  acceptedIn,
  nextStep,
  readSecretsFile,
  versionOf,
  withoutFormer,
  writeSecretsFile,
} from '../lib/rotate-secrets.mjs'
import { readRunning } from '../lib/running.mjs'

const Status = z.object({
  versions: z.array(z.string()),
  complete: z.boolean(),
  unopenable: z.int(),
  stores: z.array(z.object({ name: z.string(), total: z.int(), remaining: z.int(), unknown: z.int() })),
  derived_tokens: z.int(),
})
const Rotation = z.object({
  file: z.string(),
  step: z.enum(['introduced', 'current']),
  version: z.string(),
  commands: z.array(z.string()),
  status: Status.nullable(),
})
const file = option('FILE', 'Secrets of a deployed server, in place of those of npm start')

export const group = declareGroup({
  name: 'secrets',
  summary: 'INSTANCE_SECRET: its versions, rotation, and what is encrypted under it',
  commands: [
    {
      name: 'status',
      summary: 'Which secret stored values are encrypted under, and how many remain',
      calls: ['POST /setup/secrets/status'],
      result: Status,
      run: ({ instance }) => instance.setup('secrets/status'),
      lines: statusLines,
    },
    {
      name: 'rotate',
      summary: 'Makes a new secret the current one, and goes on accepting the former',
      options: { file },
      calls: ['POST /setup/secrets/reseal', 'POST /setup/secrets/status'],
      result: Rotation,
      destroys: (_input, { step }) =>
        step === 'introduced'
          ? 'make a new secret, which the server accepts from then on, and print how to go on'
          : 'make another secret the current one; the former is accepted until it is dropped',
      effects: async ({ input, folder }) => planOf(input, folder),
      effectLines: ({ file: path, current, former, step }) => [
        `File: ${path}`,
        `Current secret: ${current}. Former ones: ${former.length === 0 ? 'none' : former.join(', ')}.`,
        `Next step: ${step === 'introduced' ? 'introduce a new secret' : 'make it the current one'}.`,
      ],
      run: ({ input, instance, folder, progress }) => rotate({ input, instance, folder, progress }),
      lines: rotationLines,
    },
    {
      name: 'reseal',
      summary: 'Encrypts stored values under the current secret now, which cron does by itself',
      calls: ['POST /setup/secrets/reseal', 'POST /setup/secrets/status'],
      result: Status,
      run: ({ instance, progress }) => reseal(instance, progress),
      lines: statusLines,
    },
    {
      name: 'drop',
      summary: 'Takes former secrets away, once nothing is encrypted under them any more',
      options: { file },
      calls: ['POST /setup/secrets/status'],
      result: z.object({ file: z.string(), commands: z.array(z.string()) }),
      destroys: () =>
        'end sessions in browsers not seen since the rotation, links in mails and addresses of remote media from before it',
      run: ({ input, instance, folder }) => drop({ input, instance, folder }),
      lines: ({ file: path, commands }) => [
        `${path} holds the current secret alone.`,
        ...stepLines(commands),
      ],
    },
    {
      name: 'renew-lost',
      summary: 'Makes new keys in place of those whose secret is lost',
      calls: ['POST /setup/secrets/renew-lost'],
      result: Status,
      destroys: () =>
        'give accounts whose keys do not open new ones, and end all push subscriptions if the push key does not',
      run: async ({ instance, progress }) => {
        await renewLost(instance, progress)
        return instance.setup('secrets/status')
      },
      lines: statusLines,
    },
    {
      name: 'revoke-derived',
      summary:
        'Revokes tokens of apps from before tokens were random, for when the secret of that time got out',
      calls: ['POST /setup/secrets/revoke-derived', 'POST /setup/secrets/status'],
      result: z.object({ revoked: z.int() }),
      destroys: () => 'sign out the apps that hold such a token',
      run: ({ instance, progress }) => revokeDerived(instance, progress),
      lines: ({ revoked }) => [`Revoked: ${revoked}. Their apps ask for a new sign-in.`],
    },
  ],
})

function fileOf({ file: given }, folder) {
  return given ?? join(folder, 'secrets.json')
}

/** A local instance is one process: it takes over both secrets at once. */
function planOf(input, folder) {
  const path = fileOf(input, folder)
  const secrets = readSecretsFile(path)
  const { step } = nextStep(secrets, { isAtOnce: input.file === undefined })
  const current = versionOf(secrets.INSTANCE_SECRET)
  const versions = acceptedIn(secrets).map(versionOf)
  return { file: path, step, current, former: versions.filter((version) => version !== current) }
}

async function rotate({ input, instance, folder, progress }) {
  const path = fileOf(input, folder)
  const { step, next, secrets } = nextStep(readSecretsFile(path), { isAtOnce: input.file === undefined })
  const version = versionOf(next)
  writeSecretsFile(path, secrets)
  if (input.file !== undefined)
    return { file: path, step, version, commands: commandsFor(step, path), status: null }
  const isRunning = readRunning(folder) !== null
  if (!isRunning)
    return {
      file: path,
      step,
      version,
      commands: ['npm start', 'npx fieldfare secrets status'],
      status: null,
    }
  await takenOver(instance, version)
  const status = await reseal(instance, progress)
  return { file: path, step, version, commands: [], status }
}

function commandsFor(step, path) {
  const upload = `npx wrangler secret bulk ${path} -c wrangler.local.toml`
  return step === 'introduced'
    ? [upload, `npx fieldfare secrets rotate --file ${path}`]
    : [upload, 'npx fieldfare secrets status --url https://...']
}

/** Waits until the running instance has the new secret: npm start sees the file change. */
async function takenOver(instance, version) {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const status = await instance.setup('secrets/status').catch((failure) => {
      if (failure instanceof Problem) return null
      throw failure
    })
    if (status?.versions[0] === version) return
    await sleep(500)
  }
  throw new Problem(
    'The running instance has not taken the new secret over within 30 seconds. Start it again: it reads the file then.',
  )
}

async function reseal(instance, progress) {
  let state = await instance.setup('secrets/reseal', { restart: true })
  for (let part = 1; !state.complete; part += 1) {
    progress(part * 25, null, 'Values looked at')
    state = await instance.setup('secrets/reseal')
  }
  progress(1, 1, '')
  return instance.setup('secrets/status')
}

async function drop({ input, instance, folder }) {
  const path = fileOf(input, folder)
  const secrets = readSecretsFile(path)
  if (acceptedIn(secrets).length === 0) throw new Problem(`${path} holds no former secret.`)
  const status = Status.parse(await instance.setup('secrets/status'))
  const [current] = status.versions
  if (current !== versionOf(secrets.INSTANCE_SECRET))
    throw new Problem(`The server runs with the secret ${current}, which is not the current one of ${path}.`)
  const remaining = status.stores.filter((store) => store.remaining > 0)
  if (!status.complete || remaining.length > 0)
    throw new Problem(
      `Not everything is encrypted under the current secret yet: npx fieldfare secrets reseal\n${statusLines(status).join('\n')}`,
    )
  writeSecretsFile(path, withoutFormer(secrets))
  const commands =
    input.file === undefined
      ? []
      : ['npx wrangler secret delete ACCEPTED_INSTANCE_SECRETS -c wrangler.local.toml']
  return { file: path, commands }
}

async function renewLost(instance, progress) {
  let after = null
  do {
    progress(after ?? 0, null, 'Accounts up to')
    ;({ after } = await instance.setup('secrets/renew-lost', { after }))
  } while (after !== null)
  progress(1, 1, '')
  await reseal(instance, progress)
}

async function revokeDerived(instance, progress) {
  const { derived_tokens: total } = await instance.setup('secrets/status')
  let left = total
  while (left > 0) {
    ;({ left } = await instance.setup('secrets/revoke-derived'))
    progress(total - left, total, 'Revoked')
  }
  return { revoked: total }
}

function statusLines({
  versions: [current, ...former],
  complete,
  unopenable,
  stores,
  derived_tokens: derived,
}) {
  const unknown = stores.filter((store) => store.unknown > 0)
  return [
    `Current secret: ${current}. Accepted besides: ${former.length === 0 ? 'none' : former.join(', ')}.`,
    ...stores.map(({ name, total, remaining }) => `  ${name}: ${total}, remaining ${remaining}`),
    complete
      ? 'Everything was looked at under the current secret.'
      : 'Cron encrypts the rest, a part a minute.',
    ...(unopenable === 0 ? [] : [`Values that do not open: ${unopenable}. Their secret is not configured.`]),
    ...(unknown.length === 0
      ? []
      : ['Put that secret into ACCEPTED_INSTANCE_SECRETS, or: npx fieldfare secrets renew-lost']),
    ...(derived === 0 ? [] : [`Tokens of apps from before tokens were random: ${derived}.`]),
  ]
}

function rotationLines({ file: path, step, version, commands, status }) {
  return [
    step === 'introduced'
      ? `${path} holds a new secret, ${version}, which the server is to accept before it is used.`
      : `${path} has ${version} as its current secret, and the former one to accept.`,
    ...(status === null ? [] : statusLines(status)),
    ...stepLines(commands),
    ...(step === 'introduced'
      ? ['Wait a minute between the two: every part of the server has to have the first.']
      : [
          'Keep the former secret for 30 days, then: npx fieldfare secrets drop. Keep a copy of the file elsewhere.',
        ]),
  ]
}

function stepLines(commands) {
  return commands.length === 0 ? [] : ['Next:', ...commands.map((command) => `  ${command}`)]
}
