import * as z from 'zod'
import { type AllowedDomainRow, findAllowedDomains } from '../../../domain/moderation/find-limits'
import { allowDomain, disallowDomain } from '../../../domain/moderation/limit-domain'
import { ServerTabs } from '../../components/admin/servers'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import { type Resource, resourceList } from './resource'

const form = z.object({ domain: textField(300) })

const allowed: Resource<typeof form, AllowedDomainRow> = {
  path: '/admin/domain_allows',
  title: 'admin.domainAllows.allowedServers',
  one: 'admin.domainAllows.allowedServer',
  access: 'manageFederation',
  order: null,
  current: paths.servers,
  tabs: () => <ServerTabs current="allowed" />,
  intro: 'admin.domainAllows.onlyWhereServerFederates',
  form,
  fields: [{ name: 'domain', label: 'field.domain', maxlength: 300 }],
  find: findAllowedDomains,
  pageLength: 40,
  entry: ({ id, domain }) => ({ id, name: domain }),
  add: {
    label: 'admin.domainAllows.allowAServer',
    run: (ctx, moderator, { domain }) => allowDomain(ctx, moderator, domain),
  },
  remove: {
    label: 'common.remove',
    effect: 'admin.domainAllows.limitedFederationNothingComes',
    run: disallowDomain,
  },
}

export const domainAllowsPage = memberPage(resourceList(allowed))
