import type { mastodon } from 'masto'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TransferKind } from '../../../../src/db/schema/transfers'
import { hangLimit } from '../../../support/hang-limit'
import { idsOf } from '../../support/ids'
import { mastoOf } from '../../support/masto'
import { domain, newName, newPerson, type Person } from '../../support/people'
import { signInTo } from '../../support/sign-in'
import { Visitor } from '../../support/visitor'
import { confirmFor, type Flow, pressFor, pressWrong } from './setting'

/** Things of other people that a file can name. */
interface Named {
  readonly person: Person
  /** Address of a post of theirs. */
  readonly uri: string
  readonly status: string
  readonly server: string
}

interface Importing {
  /** Words of the page for what is in the file. */
  readonly label: string
  line(named: Named): string
  /** Reads what is there as an app of the member. */
  read(client: mastodon.rest.Client): Promise<unknown>
  expected(named: Named): unknown
}

const handle = ({ person }: Named) => `${person.username}@${domain}`
const ofPerson = ({ person }: Named) => [person.id]

/** Kinds of files, in the order in which they can follow one another: whoever is blocked can no longer be followed. */
const kinds: Readonly<Record<TransferKind, Importing>> = {
  following: {
    label: 'People you follow',
    line: handle,
    read: async (client) => {
      const { id } = await client.v1.accounts.verifyCredentials()
      return idsOf(await client.v1.accounts.$select(id).following.list())
    },
    expected: ofPerson,
  },
  lists: {
    label: 'Lists',
    line: (named) => `Reservoir,${handle(named)}`,
    read: async (client) =>
      Promise.all(
        (await client.v1.lists.list()).map(async ({ id, title }) => [
          title,
          idsOf(await client.v1.lists.$select(id).accounts.list()),
        ]),
      ),
    expected: (named) => [['Reservoir', ofPerson(named)]],
  },
  bookmarks: {
    label: 'Bookmarks',
    line: ({ uri }) => uri,
    read: async (client) => idsOf(await client.v1.bookmarks.list()),
    expected: ({ status }) => [status],
  },
  mutes: {
    label: 'People you mute',
    line: handle,
    read: async (client) => idsOf(await client.v1.mutes.list()),
    expected: ofPerson,
  },
  blocks: {
    label: 'People you block',
    line: handle,
    read: async (client) => idsOf(await client.v1.blocks.list()),
    expected: ofPerson,
  },
  domain_blocks: {
    label: 'Servers you block',
    line: ({ server }) => server,
    read: async (client) => [...(await client.v1.domainBlocks.list())],
    expected: ({ server }) => [server],
  },
}

async function nextNamed(): Promise<Named> {
  const person = await newPerson('far')
  const { id, uri } = await mastoOf(person).v1.statuses.create({ status: 'Seen at dawn' })
  return { person, uri, status: id, server: `${newName('spam').replace('_', '-')}.example` }
}

async function choose(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel('Type of data').selectOption({ label })
  const file = { name: 'things.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.getByLabel('File', { exact: true }).setInputFiles(file)
}

/** Imports a file of each kind, which adds what it names, and another one that takes the place of it. */
export const imports: Flow = async ({ page, client, member }) => {
  const other = new Visitor()
  const isAsked = async () =>
    (await signInTo(other, member, '/settings/imports')).text.includes('Nothing has changed yet.')
  await choose(page, kinds.following.label, '')
  await pressWrong(page, 'Import', 'file')
  const [first, second] = [await nextNamed(), await nextNamed()]
  const notice = 'The file is being processed in the background. You can leave this page.'
  for (const { label, line, read, expected } of Object.values(kinds)) {
    const effect = () => read(client)
    const bring = async (named: Named, mode: string) => {
      await choose(page, label, `${line(named)}\n`)
      await page.getByLabel('Existing entries').selectOption({ label: mode })
      await pressFor(page, { button: 'Import', notice: null, effect: isAsked })
      await pressFor(page, { button: 'Start the import', notice, effect })
      await expect.poll(effect, { ...hangLimit, message: `${label}: ${mode}` }).toEqual(expected(named))
    }
    await bring(first, 'Keep them and add those of the file')
    await bring(second, 'Remove those that are not in the file')
  }
  const { label, line, read, expected } = kinds.domain_blocks
  await choose(page, label, `${line(await nextNamed())}\n`)
  await pressFor(page, { button: 'Import', notice: null, effect: isAsked })
  const discarded = 'The file is discarded. Nothing has changed.'
  await pressFor(page, { button: 'Discard the file', notice: discarded, effect: isAsked })
  expect(await read(client)).toEqual(expected(second))
  await page.reload()
  const undone = {
    button: 'Undo the import',
    notice: 'The import is being undone in the background. You can leave this page.',
  }
  const blocked = () => read(client)
  await confirmFor(page, `Undo ${label}…`, { ...undone, effect: blocked })
  await expect.poll(blocked, { ...hangLimit, message: 'undone' }).toEqual(expected(first))
}
