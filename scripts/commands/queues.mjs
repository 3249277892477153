import * as z from 'zod'
import {
  arg,
  Done,
  declareGroup,
  everyPage,
  flag,
  given,
  id,
  option,
  optional,
} from '../lib/command-line/declare.mjs'

const byId = [arg('ID', 'Id of the entry', id)]
const Letter = z.object({ id: z.string(), kind: z.string(), died_at: z.string(), retryable: z.boolean() })
const Count = z.object({ count: z.int() })
/** Arguments that choose a letter by its id, or many. */
const chosenLetters = {
  args: [optional('ID', 'Id of one message', id)],
  options: {
    all: flag('Every message'),
    kind: option('KIND', 'Every message of a kind'),
  },
  check: ({ id: one, all, kind }) =>
    [one !== undefined, all === true, kind !== undefined].filter(Boolean).length === 1
      ? null
      : 'Name an ID, or --kind, or --all.',
}
/** Preview of the chosen letters in a dry run. */
const previewOfLetters = {
  effects: async ({ input, instance }) => {
    const letters = await lettersOf(instance, input)
    return { count: letters.length, dead_letters: letters }
  },
  effectLines: ({ dead_letters: letters }) => letters.map(letterLine),
}
const Entry = z.object({ id: z.string(), kind: z.string(), attempts: z.int(), due_at: z.string() })

export const group = declareGroup({
  name: 'queues',
  summary: 'Effects of events that wait to be run, or failed and are tried again',
  notes: ['What failed for the last time is a dead letter: kept for 30 days, and the newest 1,000 of them.'],
  commands: [
    {
      name: 'list',
      summary: 'The first 40 effects that wait, with the number of all (200 at most)',
      route: 'GET /api/fieldfare/v1/admin/effects',
      result: z.object({ count: z.int(), entries: z.array(Entry) }),
      lines: ({ count, entries }) =>
        count === 0 ? ['Nothing waits.'] : [`${count} wait.`, ...entries.map(lineOf)],
    },
    {
      name: 'retry',
      summary: 'Runs effects with the next minute, with as many attempts as new ones',
      args: byId,
      route: 'POST /api/fieldfare/v1/admin/effects/:id/retry',
      result: Done,
      lines: (_result, input) => [`${input.id} is due now.`],
    },
    {
      name: 'drop',
      summary: 'Drops effects, which then never happen',
      args: byId,
      route: 'DELETE /api/fieldfare/v1/admin/effects/:id',
      result: Done,
      destroys: (input) => `drop the effects ${input.id}, which then never happen`,
      lines: (_result, input) => [`${input.id} is dropped.`],
    },
    {
      name: 'dead-letters',
      summary: 'Messages that failed for the last time, or that no version knows',
      calls: ['GET /api/fieldfare/v1/admin/dead_letters'],
      result: z.object({ dead_letters: z.array(Letter) }),
      run: async ({ instance }) => ({ dead_letters: await lettersOf(instance, {}) }),
      lines: ({ dead_letters: letters }) =>
        letters.length === 0 ? ['There are none.'] : letters.map(letterLine),
    },
    {
      ...chosenLetters,
      name: 'retry-dead-letters',
      summary: 'Runs dead letters as new messages, some three a minute',
      calls: [
        'POST /api/fieldfare/v1/admin/dead_letters/:id/retry',
        'POST /api/fieldfare/v1/admin/dead_letters/retry',
      ],
      result: Count,
      asks: false,
      destroys: (input) => `run ${wordsOf(input)} again`,
      ...previewOfLetters,
      run: ({ input, instance, progress }) => handle(instance, input, { verb: 'retry', progress }),
      lines: ({ count }) => [`${count} will be run.`],
    },
    {
      ...chosenLetters,
      name: 'drop-dead-letters',
      summary: 'Deletes dead letters, whose work is then never done',
      calls: [
        'DELETE /api/fieldfare/v1/admin/dead_letters/:id',
        'POST /api/fieldfare/v1/admin/dead_letters/drop',
      ],
      result: Count,
      destroys: (input) => `delete ${wordsOf(input)}, whose work is then never done`,
      ...previewOfLetters,
      run: ({ input, instance, progress }) => handle(instance, input, { verb: 'drop', progress }),
      lines: ({ count }) => [`${count} were deleted.`],
    },
  ],
})

/** The letters of a choice; all without one. */
async function lettersOf(instance, { id: one, kind }) {
  const letters = await everyPage(async (after) => {
    const page = await instance.admin('GET', 'dead_letters', given({ after: after ?? undefined }))
    return { entries: page.dead_letters, next: page.next }
  })
  return letters.filter((letter) => (one ?? letter.id) === letter.id && (kind ?? letter.kind) === letter.kind)
}

async function handle(instance, { id: one, kind }, { verb, progress }) {
  if (one !== undefined) {
    const path = `dead_letters/${one}`
    await (verb === 'retry' ? instance.admin('POST', `${path}/retry`) : instance.admin('DELETE', path))
    return { count: 1 }
  }
  let [count, after] = [0, undefined]
  do {
    const part = await instance.admin('POST', `dead_letters/${verb}`, given({ kind, after }))
    count += part.count
    after = part.next ?? undefined
    progress(count, after === undefined ? count : null, 'Dead letters')
  } while (after !== undefined)
  return { count }
}

function wordsOf({ id: one, kind }) {
  if (one !== undefined) return `the dead letter ${one}`
  return kind === undefined ? 'all dead letters' : `all dead letters of the kind ${kind}`
}

function letterLine({ id: name, kind, died_at: diedAt, retryable }) {
  return [name, kind, diedAt.slice(0, 16), ...(retryable ? [] : ['unknown to this version'])].join('  ')
}

function lineOf({ id: name, kind, attempts, due_at: due }) {
  return [name, kind, `${attempts} attempts`, `due ${due}`].join('  ')
}
