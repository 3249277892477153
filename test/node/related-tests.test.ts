import { describe, expect, it } from 'vitest'
import { relatedTests, within } from '../../scripts/lib/related-tests.mjs'

/** A project of which only the imports matter; `app.ts` imports every source file. */
const files = new Map([
  ['src/app.ts', "import { mute } from './domain/mute'\nimport { list } from './api/lists'"],
  ['src/domain/mute.ts', "import type { Row } from './rows'"],
  ['src/domain/rows.ts', ''],
  ['src/api/lists.ts', ''],
  ['test/app.test.ts', "import { app } from '../src/app'"],
  ['test/domain/mute.test.ts', "import { mute } from '../../src/domain/mute'"],
  ['test/domain/block.test.ts', "import { call } from '../support/call'"],
  ['test/api/mutes.test.ts', "import { call } from '../support/call'"],
  ['test/api/lists.test.ts', "const { list } = await import('../../src/api/lists')"],
  ['test/support/call.ts', "import { app } from '../../src/app'"],
])

describe('the tests of a change', () => {
  it('the tests of a change are the changed test files, then the importers, then the files of the same name or folder', () => {
    expect(relatedTests(['src/domain/mute.ts'], files)).toEqual([
      'test/domain/mute.test.ts',
      'test/api/mutes.test.ts',
      'test/domain/block.test.ts',
    ])
    expect(relatedTests(['test/api/lists.test.ts', 'src/domain/rows.ts'], files)).toEqual([
      'test/api/lists.test.ts',
      'test/domain/mute.test.ts',
      'test/domain/block.test.ts',
    ])
  })

  it('the tests of a change include every importer of the application only when the application itself changed', () => {
    expect(relatedTests(['src/api/lists.ts'], files)).not.toContain('test/app.test.ts')
    expect(relatedTests(['src/app.ts'], files)).toContain('test/api/mutes.test.ts')
  })

  it('the tests of a change are none for a change of documents', () => {
    expect(relatedTests(['README.md', 'docs/removed.md'], files)).toEqual([])
  })
})

describe('the tests that fit into a time', () => {
  it('the tests that fit into a time are the nearest ones, and always the first', () => {
    expect(within(3, ['a', 'b', 'c'], { a: 1, b: 2, c: 1 })).toEqual(['a', 'b'])
    expect(within(3, ['a', 'b'], { a: 9 })).toEqual(['a'])
    expect(within(3, [], {})).toEqual([])
  })
})
