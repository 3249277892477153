import * as z from 'zod'
import {
  type CanonicalEmailBlockRow,
  createCanonicalEmailBlock,
  deleteCanonicalEmailBlock,
  findCanonicalEmailBlocks,
} from '../../../domain/instance/blocks/canonical-email-blocks'
import { Invalid } from '../../../errors'
import { message } from '../../../lib/translate'
import { BlockTabs } from '../../components/admin/block-tabs'
import { Day } from '../../components/day'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceList } from './resource'

const form = z.object({ email: textField(300) })

const blocks: Resource<typeof form, CanonicalEmailBlockRow> = {
  path: '/admin/canonical_email_blocks',
  title: message('E-mail addresses'),
  one: message('E-mail address'),
  access: 'manageBlocks',
  order: null,
  current: '/admin/ip_blocks',
  tabs: () => <BlockTabs current="/admin/canonical_email_blocks" />,
  intro: message(
    'Nobody can sign up with these addresses, in any spelling. Only their hashes are stored, so the list cannot name them.',
  ),
  form,
  fields: [{ name: 'email', label: message('E-mail address'), maxlength: 300 }],
  find: findCanonicalEmailBlocks,
  pageLength: 40,
  entry: ({ id, canonicalEmailHash, createdAt }) => ({
    id,
    name: canonicalEmailHash,
    lines: [<Day at={createdAt} />],
  }),
  add: {
    label: message('Block an address'),
    run: async (ctx, moderator, { email }) => {
      if (email.trim() === '') throw new Invalid('blank', { field: 'email' })
      return createCanonicalEmailBlock(ctx, moderator, { email, hash: '' })
    },
  },
  remove: {
    label: message('Lift'),
    effect: message('Somebody can sign up with the address again.'),
    run: deleteCanonicalEmailBlock,
  },
}

export const canonicalEmailBlocksPage = memberPage(resourceList(blocks))
