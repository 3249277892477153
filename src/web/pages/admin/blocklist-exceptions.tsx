import * as z from 'zod'
import { type BlocklistException, findExceptions } from '../../../domain/moderation/blocklists/find'
import { addException, removeException } from '../../../domain/moderation/blocklists/subscribe'
import { message } from '../../../lib/translate'
import { ServerTabs } from '../../components/admin/servers'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import { type Resource, resourceList } from './resource'

const form = z.object({ domain: textField(300), comment: textField() })

const exceptions: Resource<typeof form, BlocklistException> = {
  path: '/admin/blocklist_exceptions',
  title: message('Exceptions from blocklists'),
  one: message('Exception'),
  access: 'manageFederation',
  order: null,
  current: paths.servers,
  tabs: () => <ServerTabs current="blocklists" />,
  intro: message('No list proposes a limit on these servers and their subdomains.'),
  form,
  fields: [
    { name: 'domain', label: message('Domain'), maxlength: 300 },
    { name: 'comment', label: message('Comment for moderators'), isOptional: true },
  ],
  find: findExceptions,
  pageLength: 40,
  entry: ({ id, domain, comment }) => ({ id, name: domain, lines: comment === '' ? [] : [comment] }),
  add: { label: message('Add an exception'), run: addException },
  remove: {
    label: message('Remove'),
    effect: message('Lists may propose limits on the server again.'),
    run: removeException,
  },
}

export const blocklistExceptionsPage = memberPage(resourceList(exceptions))
