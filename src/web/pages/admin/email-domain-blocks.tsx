import * as z from 'zod'
import {
  createEmailDomainBlock,
  deleteEmailDomainBlock,
  type EmailDomainBlockRow,
  findEmailDomainBlocks,
} from '../../../domain/instance/blocks/email-domain-blocks'
import { message } from '../../../lib/translate'
import { BlockTabs } from '../../components/admin/block-tabs'
import { checkbox, textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceList } from './resource'

const form = z.object({ domain: textField(300), allow_with_approval: checkbox })

const blocks: Resource<typeof form, EmailDomainBlockRow> = {
  path: '/admin/email_domain_blocks',
  title: message('E-mail domains'),
  one: message('Block of an e-mail domain'),
  access: 'manageBlocks',
  order: null,
  current: '/admin/ip_blocks',
  tabs: () => <BlockTabs current="/admin/email_domain_blocks" />,
  intro: message('Addresses of these domains, and those whose mail they receive, cannot be used to sign up.'),
  form,
  fields: [
    { name: 'domain', label: message('Domain'), maxlength: 300 },
    { name: 'allow_with_approval', label: message('Let them sign up with approval'), kind: 'checkbox' },
  ],
  find: findEmailDomainBlocks,
  pageLength: 40,
  entry: ({ id, domain, allowWithApproval, history }) => {
    const attempts = Object.values(history).reduce((sum, [, count]) => sum + count, 0)
    return {
      id,
      name: domain,
      badges: allowWithApproval ? [message('needs approval')] : [],
      lines: attempts === 0 ? [] : [<Attempts count={attempts} />],
    }
  },
  add: {
    label: message('Block a domain'),
    run: (ctx, moderator, input) =>
      createEmailDomainBlock(ctx, moderator, {
        domain: input.domain,
        allowWithApproval: input.allow_with_approval,
      }),
  },
  remove: {
    label: message('Lift'),
    effect: message('Its addresses may sign up again.'),
    run: deleteEmailDomainBlock,
  },
}

function Attempts({ count }: { readonly count: number }) {
  const t = useTranslation()
  return <>{t('{count, plural, one {# attempt} other {# attempts}} in the last days', { count })}</>
}

export const emailDomainBlocksPage = memberPage(resourceList(blocks))
