import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const script = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url).href)

let taken: Server
let port = 0
beforeAll(async () => {
  taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  port = address.port
})
afterAll(() => void taken.close())

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fieldfare-start-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

function start(...words: readonly string[]) {
  return new Promise<{ code: number | null; problem: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [script, '--folder', folder, ...words],
      (_failure, _out, problem) => resolve({ code: child.exitCode, problem: problem.trim() }),
    )
  })
}

/** A folder that was used before: what it holds is never looked into here. */
function usedFolder() {
  mkdirSync(join(folder, 'v3/d1'), { recursive: true })
}

describe('npm start fails with 1 and one readable message', () => {
  it('fails where the port is used, before it creates anything', async () => {
    const { code, problem } = await start('--port', String(port))
    expect([code, problem]).toEqual([1, `Port ${port} is taken. Choose another: npm start -- --port 8788`])
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    [['--port', 'abc'], 'abc is no port.'],
    [['--port', '99999'], '99999 is no port.'],
    [['--prot', '8788'], "Unknown option '--prot'"],
  ])('fails for %j, and names its arguments', async (words, line) => {
    const { code, problem } = await start(...words)
    expect(code).toBe(1)
    expect(problem).toContain(line)
    expect(problem).toContain('npm start -- [--port 8787]')
    expect(problem).not.toContain('    at ')
  })

  it('fails where the secrets of data are lost, and creates no others', async () => {
    usedFolder()
    const { code, problem } = await start('--port', '9999')
    expect(code).toBe(1)
    expect(problem).toContain(`${join(folder, 'secrets.json')} is gone`)
    expect(problem).toContain('Put that file back: it is in your copies. Nothing was changed.')
    expect(problem).toContain('npm start -- --new-secrets goes on with new ones')
    expect(problem).not.toContain('    at ')
    expect(existsSync(join(folder, 'secrets.json'))).toBe(false)
  })

  it.each(['{', '[]', '{"INSTANCE_SECRET":"only this"}'])('fails where the secrets are %s', async (text) => {
    usedFolder()
    writeFileSync(join(folder, 'secrets.json'), text)
    const { code, problem } = await start('--port', '9999')
    expect(code).toBe(1)
    expect(problem).toContain('is not what npm start wrote')
    expect(problem).not.toContain('only this')
  })
})
