import * as z from 'zod'
import {
  createUsernameBlock,
  deleteUsernameBlock,
  findUsernameBlock,
  findUsernameBlocks,
  type UsernameBlockRow,
  updateUsernameBlock,
} from '../../../domain/instance/blocks/username-blocks'
import { message } from '../../../lib/translate'
import { BlockTabs } from '../../components/admin/block-tabs'
import { checkbox, textField } from '../../form-fields'
import { memberPage } from '../../member-pages/member-page'
import { type Resource, resourceEntry, resourceList } from './resource'

const form = z.object({ username: textField(100), comparison: textField(20), allow_with_approval: checkbox })

function orderOf({ username, comparison, allow_with_approval: allowWithApproval }: z.output<typeof form>) {
  return { username, exact: comparison === 'equals', allowWithApproval }
}

const change: Required<Resource<typeof form, UsernameBlockRow>>['change'] = {
  find: findUsernameBlock,
  values: ({ username, exact, allowWithApproval }) => ({
    username,
    comparison: exact ? 'equals' : 'contains',
    allow_with_approval: String(allowWithApproval),
  }),
  run: (ctx, moderator, id, input) => updateUsernameBlock(ctx, moderator, id, orderOf(input)),
}

const blocks: Resource<typeof form, UsernameBlockRow> = {
  path: '/admin/username_blocks',
  title: message('Usernames'),
  one: message('Block of a username'),
  access: 'manageBlocks',
  order: null,
  current: '/admin/ip_blocks',
  tabs: () => <BlockTabs current="/admin/username_blocks" />,
  intro: message('Names that nobody may sign up with.'),
  form,
  fields: [
    { name: 'username', label: message('Name'), maxlength: 100 },
    {
      name: 'comparison',
      label: message('Names to block'),
      kind: 'choice',
      options: [
        { value: 'equals', text: message('this name only') },
        { value: 'contains', text: message('all names that contain it') },
      ],
      initial: 'equals',
    },
    { name: 'allow_with_approval', label: message('Let them sign up with approval'), kind: 'checkbox' },
  ],
  find: findUsernameBlocks,
  pageLength: 40,
  entry: ({ id, username, exact, allowWithApproval }) => ({
    id,
    name: username,
    badges: [
      exact ? message('this name only') : message('also as a part'),
      ...(allowWithApproval ? [message('needs approval')] : []),
    ],
  }),
  add: {
    label: message('Block a name'),
    run: (ctx, moderator, input) => createUsernameBlock(ctx, moderator, orderOf(input)),
  },
  change,
  remove: {
    label: message('Lift'),
    effect: message('The name can be taken again.'),
    run: deleteUsernameBlock,
  },
}

export const usernameBlocksPage = memberPage(resourceList(blocks))
export const usernameBlockPage = memberPage(resourceEntry({ ...blocks, change }))
