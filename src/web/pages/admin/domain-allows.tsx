import * as z from 'zod'
import { allowDomain, disallowDomain } from '../../../domain/moderation/allow-domain'
import { type AllowedDomainRow, findAllowedDomains } from '../../../domain/moderation/find-limits'
import { message } from '../../../lib/translate'
import { ServerTabs } from '../../components/admin/servers'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import { type Resource, resourceList } from './resource'

const form = z.object({ domain: textField(300) })

const allowed: Resource<typeof form, AllowedDomainRow> = {
  path: '/admin/domain_allows',
  title: message('Allowed servers'),
  one: message('Allowed server'),
  access: 'manageFederation',
  order: null,
  current: paths.servers,
  tabs: () => <ServerTabs current="allowed" />,
  intro: message(
    'Only where this server federates with chosen servers alone (LIMITED_FEDERATION_MODE) does this list matter.',
  ),
  form,
  fields: [{ name: 'domain', label: message('Domain'), maxlength: 300 }],
  find: findAllowedDomains,
  pageLength: 40,
  entry: ({ id, domain }) => ({ id, name: domain }),
  add: {
    label: message('Allow a server'),
    run: (ctx, moderator, { domain }) => allowDomain(ctx, moderator, domain),
  },
  remove: {
    label: message('Remove'),
    effect: message('In limited federation, nothing comes from there or goes there any more.'),
    run: disallowDomain,
  },
}

export const domainAllowsPage = memberPage(resourceList(allowed))
