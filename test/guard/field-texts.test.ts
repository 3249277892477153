import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { auditFieldText, formFieldText } from '../../src/web/field-texts'

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))

it('every field that acts of the domain write into the audit log has a label', () => {
  const names = filesOf('src/domain')
    .filter((text) => text.includes('recordAudit') && !text.includes('export function recordAudit('))
    .flatMap((text) =>
      [...text.matchAll(/\b(?:before|after): \{ ([^{}.]*?) \}/g)].map(([, inside = '']) => inside),
    )
    .flatMap((inside) => inside.split(',').map((part) => part.split(':')[0]?.trim() ?? ''))
    .filter((name) => /^[a-z]\w*$/.test(name))
  expect(names.length).toBeGreaterThan(20)
  expect([...new Set(names)].filter((name) => auditFieldText(name) === null)).toEqual([])
})

/** Parameters of the API that no form of a page has. */
const ofApps: ReadonlySet<string> = new Set([
  'actor',
  'allowed_mentions',
  'application_name',
  'choices',
  'collection_items',
  'context',
  'deadline',
  'description',
  'endpoint',
  'focus',
  'followers',
  'ids',
  'keys',
  'redirect_uri',
  'scheduled_at',
  'scopes',
  'signature',
  'status',
  'tag_name',
  'translations',
  'website',
])

it('every field that errors of forms name has a label', () => {
  const names = ['src/domain', 'src/web', 'src/lib']
    .flatMap(filesOf)
    .flatMap((text) =>
      [...text.matchAll(/(?:(?:Invalid|problem)\([^()]*\bfield:|const field =) '(\w+)'/g)].map(
        ([, name = '']) => name,
      ),
    )
  expect(names.length).toBeGreaterThan(80)
  const unlabelled = [...new Set(names)].filter((name) => formFieldText(name) === null)
  expect(unlabelled.filter((name) => !ofApps.has(name))).toEqual([])
})
