import * as z from 'zod'
import { type BlocklistException, findExceptions } from '../../../domain/moderation/blocklists/find'
import { addException, removeException } from '../../../domain/moderation/blocklists/subscribe'
import { ServerTabs } from '../../components/admin/servers'
import { textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import { type Resource, resourceList } from './resource'

const form = z.object({ domain: textField(300), comment: textField() })

const exceptions: Resource<typeof form, BlocklistException> = {
  path: '/admin/blocklist_exceptions',
  title: 'admin.exceptionsFromBlocklists',
  one: 'admin.blocklistExceptions.exception',
  access: 'manageFederation',
  order: null,
  current: paths.servers,
  tabs: () => <ServerTabs current="blocklists" />,
  intro: 'admin.blocklistExceptions.noListProposesLimit',
  form,
  fields: [
    { name: 'domain', label: 'field.domain', maxlength: 300 },
    { name: 'comment', label: 'field.commentForModerators', isOptional: true },
  ],
  find: findExceptions,
  pageLength: 40,
  entry: ({ id, domain, comment }) => ({ id, name: domain, lines: comment === '' ? [] : [comment] }),
  add: { label: 'admin.blocklistExceptions.addAnException', run: addException },
  remove: {
    label: 'common.remove',
    effect: 'admin.blocklistExceptions.listsMayProposeLimits',
    run: removeException,
  },
}

export const blocklistExceptionsPage = memberPage(resourceList(exceptions))
