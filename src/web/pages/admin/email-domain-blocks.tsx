import * as z from 'zod'
import {
  createEmailDomainBlock,
  deleteEmailDomainBlock,
  type EmailDomainBlockRow,
  findEmailDomainBlocks,
} from '../../../domain/sign-up-blocks/email-domain-blocks'
import { BlockTabs } from '../../components/admin/block-tabs'
import { checkbox, textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceList } from './resource'

const form = z.object({ domain: textField(300), allow_with_approval: checkbox })

const blocks: Resource<typeof form, EmailDomainBlockRow> = {
  path: '/admin/email_domain_blocks',
  title: 'admin.emailDomains',
  one: 'admin.emailDomainBlocks.blockEmailDomain',
  access: 'manageBlocks',
  order: null,
  current: '/admin/ip_blocks',
  tabs: () => <BlockTabs current="/admin/email_domain_blocks" />,
  intro: 'admin.emailDomainBlocks.addressesDomainsWhoseMail',
  form,
  fields: [
    { name: 'domain', label: 'field.domain', maxlength: 300 },
    { name: 'allow_with_approval', label: 'admin.letSignUpApproval', kind: 'checkbox' },
  ],
  find: findEmailDomainBlocks,
  pageLength: 40,
  entry: ({ id, domain, allowWithApproval, history }) => {
    const attempts = Object.values(history).reduce((sum, [, count]) => sum + count, 0)
    return {
      id,
      name: domain,
      badges: allowWithApproval ? ['admin.needsApproval'] : [],
      lines: attempts === 0 ? [] : [<Attempts count={attempts} />],
    }
  },
  add: {
    label: 'admin.emailDomainBlocks.blockADomain',
    run: (ctx, moderator, input) =>
      createEmailDomainBlock(ctx, moderator, {
        domain: input.domain,
        allowWithApproval: input.allow_with_approval,
      }),
  },
  remove: {
    label: 'admin.lift',
    effect: 'admin.emailDomainBlocks.addressesMaySignUp',
    run: deleteEmailDomainBlock,
  },
}

function Attempts({ count }: { readonly count: number }) {
  const t = useTranslation()
  return <>{t('admin.emailDomainBlocks.attemptsLastDays', { count })}</>
}

export const emailDomainBlocksPage = memberPage(resourceList(blocks))
