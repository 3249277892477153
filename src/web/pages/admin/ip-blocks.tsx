import * as z from 'zod'
import {
  createIpBlock,
  deleteIpBlock,
  findIpBlock,
  findIpBlocks,
  type IpBlockRow,
  updateIpBlock,
} from '../../../domain/sign-up-blocks/ip-blocks'
import type { TextKey } from '../../../lib/translate'
import { BlockTabs } from '../../components/admin/block-tabs'
import { ipBlockSeverities } from '../../components/admin/report-words'
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
const durations: readonly { readonly value: string; readonly text: TextKey }[] = [
  { value: '', text: 'admin.ipBlocks.neverExpires' },
  { value: String(day), text: 'common.n1Day' },
  { value: String(14 * day), text: 'admin.ipBlocks.n2Weeks' },
  { value: String(30 * day), text: 'admin.ipBlocks.n1Month' },
  { value: String(180 * day), text: 'admin.ipBlocks.n6Months' },
  { value: String(365 * day), text: 'admin.ipBlocks.n1Year' },
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
  title: 'admin.ipAddresses',
  one: 'admin.ipBlocks.blockNetwork',
  access: 'manageBlocks',
  order: 200,
  menuLabel: 'admin.blocks',
  tabs: () => <BlockTabs current="/admin/ip_blocks" />,
  intro: 'admin.ipBlocks.networksWhoseSignUps',
  form,
  fields: [
    {
      name: 'ip',
      label: 'admin.ipBlocks.addressOrNetwork',
      hint: 'admin.ipBlocks.addressOrNetwork.hint',
      maxlength: 100,
    },
    {
      name: 'severity',
      label: 'admin.ipBlocks.whatIsRefused',
      kind: 'choice',
      options: Object.entries(ipBlockSeverities).map(([value, text]) => ({ value, text })),
    },
    {
      name: 'expires_in',
      label: 'field.expiry',
      kind: 'choice',
      options: [...durations, { value: unchanged, text: 'common.asItIs', ofOld: true }],
      initial: '',
    },
    {
      name: 'comment',
      label: 'field.comment',
      hint: 'admin.onlyModeratorsSee',
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
    label: 'admin.ipBlocks.blockANetwork',
    run: (ctx, moderator, input) => createIpBlock(ctx, moderator, orderOf(input)),
  },
  change,
  remove: {
    label: 'admin.lift',
    effect: 'admin.ipBlocks.networkMaySignUp',
    run: deleteIpBlock,
  },
}

function Until({ day: at }: { readonly day: Date }) {
  const t = useTranslation()
  return <>{t.rich('admin.until', { day: () => <Day at={at} withTime /> })}</>
}

export const ipBlocksPage = memberPage(resourceList(ipBlocks))
export const ipBlockPage = memberPage(resourceEntry({ ...ipBlocks, change }))
