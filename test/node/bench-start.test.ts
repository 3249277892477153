import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startInstance } from '../../scripts/bench/start-instance.mjs'

it('measures no start where another server answers on the port', async () => {
  const place = mkdtempSync(join(tmpdir(), 'fieldfare-bench-start-'))
  const other = createServer((_request, response) => response.end('OK'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  try {
    const address = other.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    await expect(startInstance({ place, port: address.port, stderr: 'ignore' })).rejects.toThrow(
      'npm start ended before its server answered',
    )
  } finally {
    other.close()
    rmSync(place, { recursive: true, force: true })
  }
})
