// Tokens that imports made, by a note each: a run that is killed revokes none, so the next one does. No note holds a token.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { Refused } from '../command-line/problems.mjs'
import { isRunning } from '../processes.mjs'

const prefix = 'fieldfare-token-'
const Note = z.object({ origin: z.string(), account: z.string(), id: z.string() })

/** Notes a token of this process. Answers a function that forgets it. */
export function noteToken(note) {
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  writeFileSync(join(folder, 'note.json'), JSON.stringify(Note.parse(note)))
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Revokes what runs left on the server at `origin` that were killed. */
export async function revokeLeftTokens(instance, origin) {
  for (const name of readdirSync(tmpdir())) {
    const [, id] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? []
    if (id === undefined || isRunning(Number(id))) continue
    const folder = join(tmpdir(), name)
    // A note of another user of the machine would end tokens of their choice.
    if (process.getuid !== undefined && statSync(folder).uid !== process.getuid()) continue
    const note = readNote(folder)
    if (note !== null && note.origin !== origin) continue
    if (note !== null) await revokeToken(instance, note)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Null for a note that a run was killed over. */
function readNote(folder) {
  try {
    return Note.parse(JSON.parse(readFileSync(join(folder, 'note.json'), 'utf8')))
  } catch (failure) {
    if (failure instanceof SyntaxError || failure instanceof z.ZodError || failure.code === 'ENOENT')
      return null
    throw failure
  }
}

/** Revokes a token, unless it was deleted. */
async function revokeToken(instance, { account, id }) {
  try {
    await instance.admin('DELETE', `accounts/${account}/tokens/${id}`)
  } catch (failure) {
    if (!(failure instanceof Refused && failure.status === 404)) throw failure
  }
}
