import * as z from 'zod'
import {
  type CanonicalEmailBlockRow,
  createCanonicalEmailBlock,
  deleteCanonicalEmailBlock,
  findCanonicalEmailBlocks,
} from '../../../domain/sign-up-blocks/canonical-email-blocks'
import { Invalid } from '../../../errors'
import { BlockTabs } from '../../components/admin/block-tabs'
import { Day } from '../../components/day'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceList } from './resource'

const form = z.object({ email: textField(300) })

const blocks: Resource<typeof form, CanonicalEmailBlockRow> = {
  path: '/admin/canonical_email_blocks',
  title: 'admin.emailAddresses',
  one: 'field.emailAddress',
  access: 'manageBlocks',
  order: null,
  current: '/admin/ip_blocks',
  tabs: () => <BlockTabs current="/admin/canonical_email_blocks" />,
  intro: 'admin.canonicalEmailBlocks.nobodyCanSignUp',
  form,
  fields: [{ name: 'email', label: 'field.emailAddress', maxlength: 300 }],
  find: findCanonicalEmailBlocks,
  pageLength: 40,
  entry: ({ id, canonicalEmailHash, createdAt }) => ({
    id,
    name: canonicalEmailHash,
    lines: [<Day at={createdAt} />],
  }),
  add: {
    label: 'admin.canonicalEmailBlocks.blockAnAddress',
    run: async (ctx, moderator, { email }) => {
      if (email.trim() === '') throw new Invalid('blank', { field: 'email' })
      return createCanonicalEmailBlock(ctx, moderator, { email, hash: '' })
    },
  },
  remove: {
    label: 'admin.lift',
    effect: 'admin.canonicalEmailBlocks.somebodyCanSignUp',
    run: deleteCanonicalEmailBlock,
  },
}

export const canonicalEmailBlocksPage = memberPage(resourceList(blocks))
