import { createHash } from 'node:crypto'
import type { Browser } from '../../support/browser'

type Fields = Readonly<Record<string, string>>

/** Entry of a resource as its form adds it: what the list shows of it, and a field that a change gives another value. */
export interface Sample {
  readonly path: string
  readonly fields: Fields
  readonly shown: string
  readonly changed?: Fields
  /** Fields that are refused, and the problem. */
  readonly refused: readonly [Fields, string]
}

/** Samples of all resources that staff manage in the browser. `word` ends in a number and names no other entries. */
export function samples(word: string): readonly Sample[] {
  const host = Number(word.replace(/\D/g, ''))
  return [
    {
      path: '/admin/rules',
      fields: { text: `Be <kind> ${word}`, hint: 'To all' },
      shown: `Be <kind> ${word}`,
      changed: { text: `Be kinder ${word}` },
      refused: [{ text: ' ' }, "Text can't be blank"],
    },
    {
      path: '/admin/announcements',
      fields: { text: `We <meet> ${word}`, starts_at: '2027-01-02T10:00', ends_at: '2027-01-02T12:00' },
      shown: `We <meet> ${word}`,
      changed: { text: `We do not meet ${word}` },
      refused: [{ text: 'Soon', starts_at: '2027-01-02T10:00' }, 'Enter both a start and an end'],
    },
    {
      path: '/admin/warning_presets',
      fields: { title: `Adverts ${word}`, text: 'No adverts <please>' },
      shown: `Adverts ${word}`,
      changed: { title: `Spam ${word}` },
      refused: [{ title: 'Nothing', text: '' }, "Text can't be blank"],
    },
    {
      path: '/admin/ip_blocks',
      fields: {
        ip: `10.9.${host >> 8}.${host & 255}`,
        severity: 'sign_up_block',
        comment: `Seen <often> ${word}`,
      },
      shown: `Seen <often> ${word}`,
      changed: { comment: `Seen again ${word}` },
      refused: [{ ip: 'nonsense', severity: 'no_access' }, 'IP address or network is not valid'],
    },
    {
      path: '/admin/email_domain_blocks',
      fields: { domain: `${word}.test` },
      shown: `${word}.test`,
      refused: [{ domain: '' }, "Domain can't be blank"],
    },
    {
      path: '/admin/canonical_email_blocks',
      fields: { email: `${word}@example.test` },
      shown: createHash('sha256').update(`${word}@example.test`).digest('hex'),
      refused: [{ email: '' }, "E-mail address can't be blank"],
    },
    {
      path: '/admin/username_blocks',
      fields: { username: word, comparison: 'equals' },
      shown: word,
      changed: { username: `${word}x` },
      refused: [{ username: '' }, "Username can't be blank"],
    },
    {
      path: '/admin/relays',
      fields: { inbox_url: `https://${word}.test/inbox` },
      shown: `https://${word}.test/inbox`,
      refused: [{ inbox_url: 'nonsense' }, 'Inbox of the relay is not an address of another server'],
    },
    {
      path: '/admin/domain_allows',
      fields: { domain: `${word}.example` },
      shown: `${word}.example`,
      refused: [{ domain: 'no domain' }, 'Domain is not a valid domain name'],
    },
    {
      path: '/admin/blocklists',
      fields: { url: `https://${word}.test/list.csv`, title: `Of <all> ${word}` },
      shown: `Of <all> ${word}`,
      refused: [
        { url: 'http://127.0.0.1/list.csv', title: 'Private' },
        'Address is not an address of another server that can be used',
      ],
    },
    {
      path: '/admin/blocklist_exceptions',
      fields: { domain: `${word}.example`, comment: 'Friends <of> ours' },
      shown: `${word}.example`,
      refused: [{ domain: '', comment: 'Nobody' }, "Domain can't be blank"],
    },
    {
      path: '/admin/webhooks',
      fields: { url: `https://${word}.test/hook`, 'account.created': 'true' },
      shown: `https://${word}.test/hook`,
      changed: { url: `https://${word}.test/other`, 'report.created': 'true' },
      refused: [
        { url: 'http://127.0.0.1/', 'account.created': 'true' },
        'Address is not an address of another server that can be used',
      ],
    },
    {
      path: '/admin/roles',
      fields: { name: `Helpers <of> ${word}`, position: '2', manageReports: 'true' },
      shown: `Helpers <of> ${word}`,
      changed: { name: `Others ${word}` },
      refused: [{ name: '', position: '2' }, "Name can't be blank"],
    },
  ]
}

/** Adds a sample in the browser of an administrator. Returns its id. */
export async function addSample(browser: Browser, { path, fields, shown }: Sample): Promise<string> {
  const sent = await browser.fill(path, fields)
  if (sent.status !== 303 && sent.status !== 200)
    throw new Error(`${path} answered ${sent.status}: ${sent.html}`)
  const { html } = await browser.get(path)
  const escaped = shown.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const entry = html.split('<li>').find((item) => item.includes(escaped)) ?? ''
  const id = new RegExp(`${path}/(-?\\d+)/remove`).exec(entry)?.[1]
  if (id === undefined) throw new Error(`${path} does not list ${shown}`)
  return id
}
