import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { partOf } from '../../scripts/lib/document-part.mjs'
import { knownVariables } from '../../scripts/lib/known-variables.mjs'
import { referenceTable, settingFacts, unwritten, variableFacts } from '../../scripts/lib/reference.mjs'
import { variableFields } from '../../src/config'
import { settingKinds } from '../../src/domain/instance/save-settings'
import { defaultSettings } from '../../src/domain/instance/settings'

const document = readFileSync('docs/operate/configure.md', 'utf8')

it('scripts know every variable that the server reads, and no other', () => {
  expect(knownVariables.toSorted()).toEqual(Object.keys(variableFields).toSorted())
})

describe('the reference of the configuration: npm run reference writes it', () => {
  const tables = [
    { title: 'variable', name: 'the schema of variables', facts: variableFacts(variableFields) },
    { title: 'setting', name: 'the schema of settings', facts: settingFacts(settingKinds, defaultSettings) },
  ]
  for (const { title, name, facts } of tables)
    it(`the reference has each ${title} with its form, default and a meaning`, () => {
      const part = partOf(document, name)
      expect(facts.length).toBeGreaterThan(25)
      expect(part).toBe(referenceTable(title, facts, part))
      expect(part).not.toContain(unwritten)
    })

  it('keeps descriptions, and reads forms and defaults from the code', () => {
    const before =
      '| `A` | wrong | 3 | what A does |\n| `GONE` | x | y | z |\n| `B` | own | as C | what B does |'
    const facts = [
      { name: 'A', form: 'a number', fallback: '`4`' },
      { name: 'B', form: 'a text', fallback: null },
      { name: 'NEW', form: 'a text', fallback: null },
    ]
    expect(referenceTable('variable', facts, before).split('\n').slice(2)).toEqual([
      '| `A` | a number | `4` | what A does |',
      '| `B` | a text | as C | what B does |',
      `| \`NEW\` | a text | none | ${unwritten} |`,
    ])
  })
})
