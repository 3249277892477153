import * as z from 'zod'
import {
  createIpBlock,
  deleteIpBlock,
  findIpBlock,
  findIpBlocks,
  type IpBlockRow,
  updateIpBlock,
} from '../../../domain/instance/blocks/ip-blocks'
import { message } from '../../../lib/translate'
import { BlockTabs } from '../../components/admin/block-tabs'
import { ipBlockSeverities } from '../../components/admin/ip-block-words'
import { Day } from '../../components/day'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceEntry, resourceList } from './resource'

const form = z.object({
  ip: textField(100),
  severity: textField(40),
  comment: textField(),
  expires_in: textField(20),
})

const day = 86_400
const unchanged = 'unchanged'
const durations = [
  { value: '', text: message('For good') },
  { value: String(day), text: message('1 day') },
  { value: String(14 * day), text: message('2 weeks') },
  { value: String(30 * day), text: message('1 month') },
  { value: String(180 * day), text: message('6 months') },
  { value: String(365 * day), text: message('1 year') },
]

function orderOf({ ip, severity, comment, expires_in: expiresIn }: z.output<typeof form>) {
  const shared = { ip, severity, comment }
  if (expiresIn === unchanged) return shared
  return { ...shared, expiresIn: expiresIn === '' ? null : Number(expiresIn) }
}

const change: Required<Resource<typeof form, IpBlockRow>>['change'] = {
  find: findIpBlock,
  values: ({ ip, severity, comment }) => ({ ip, severity, comment, expires_in: unchanged }),
  run: (ctx, moderator, id, input) => updateIpBlock(ctx, moderator, id, orderOf(input)),
}

const ipBlocks: Resource<typeof form, IpBlockRow> = {
  path: '/admin/ip_blocks',
  title: message('IP addresses'),
  one: message('Block of a network'),
  access: 'manageBlocks',
  order: 200,
  menuLabel: message('Blocks'),
  tabs: () => <BlockTabs current="/admin/ip_blocks" />,
  intro: message(
    'Networks whose sign-ups need approval, whose sign-ups are refused, or all of whose requests are.',
  ),
  form,
  fields: [
    {
      name: 'ip',
      label: message('Address or network'),
      hint: message('As 192.0.2.1 or 2001:db8::/32.'),
      maxlength: 100,
    },
    {
      name: 'severity',
      label: message('What is refused'),
      kind: 'choice',
      options: Object.entries(ipBlockSeverities).map(([value, text]) => ({ value, text })),
    },
    {
      name: 'expires_in',
      label: message('How long'),
      kind: 'choice',
      options: [...durations, { value: unchanged, text: message('As it is'), ofOld: true }],
      initial: '',
    },
    {
      name: 'comment',
      label: message('Comment'),
      hint: message('Only moderators see it.'),
      isOptional: true,
    },
  ],
  find: findIpBlocks,
  pageLength: 40,
  entry: ({ id, ip, severity, comment, expiresAt }) => ({
    id,
    name: ip,
    badges: [ipBlockSeverities[severity]],
    lines: [...(comment === '' ? [] : [comment]), ...(expiresAt === null ? [] : [<Until day={expiresAt} />])],
  }),
  add: {
    label: message('Block a network'),
    run: (ctx, moderator, input) => createIpBlock(ctx, moderator, orderOf(input)),
  },
  change,
  remove: {
    label: message('Lift'),
    effect: message('The network may sign up and read again.'),
    run: deleteIpBlock,
  },
}

function Until({ day: at }: { readonly day: Date }) {
  const t = useTranslation()
  return <>{t.rich('until <day></day>', { day: () => <Day at={at} withTime /> })}</>
}

export const ipBlocksPage = memberPage(resourceList(ipBlocks))
export const ipBlockPage = memberPage(resourceEntry({ ...ipBlocks, change }))
