import { accountArchives } from './account-archives'
import { accountCredentials } from './accounts/profile'
import {
  accountFamiliarFollowers,
  accountReads,
  accountRelationLists,
  accountSearch,
  accountStatuses,
  emailSubscriptions,
} from './accounts/read'
import { accountRelationships, followByHandle } from './accounts/relationships'
import { adminEndpoints } from './admin'
import { announcements } from './announcements'
import { annualReports } from './annual-reports'
import { apps } from './apps'
import { archiveImports } from './archive-imports'
import { asyncRefreshes } from './async-refreshes'
import { blocks } from './blocks'
import { bookmarks } from './bookmarks'
import { collections } from './collections'
import { conversations } from './conversations'
import { encryption } from './crypto'
import { customEmojis } from './custom-emojis'
import { directory } from './directory'
import { domainBlocks } from './domain-blocks'
import { emails } from './emails'
import { endorsements } from './endorsements'
import type { Endpoint } from './endpoint'
import { favourites } from './favourites'
import { featuredTags } from './featured-tags'
import { filters } from './filters/filters'
import { filterKeywords, filterStatuses } from './filters/keywords'
import { v1Filters } from './filters/v1-filters'
import { followRequests } from './follow-requests'
import { groupedNotifications } from './grouped-notifications'
import { identityProofs } from './identity-proofs'
import { instance } from './instance'
import { instanceTexts } from './instance-texts'
import { invites } from './invites'
import { lists } from './lists'
import { markers } from './markers'
import { media } from './media'
import { mutes } from './mutes'
import { notificationPolicies } from './notification-policy'
import { notificationRequests } from './notification-requests'
import { notifications } from './notifications'
import { oauth } from './oauth'
import { oembed } from './oembed'
import { polls } from './polls'
import { preferences } from './preferences'
import { profile } from './profile'
import { push } from './push'
import { reports } from './reports'
import { scheduledStatuses } from './scheduled-statuses'
import { search } from './search'
import { signUps } from './sign-up'
import { newStatus } from './statuses/create'
import { statusDeletion, statusEdits } from './statuses/edit'
import { interactingAccounts, statusInteractions, statusReactions } from './statuses/interactions'
import { statusQuotes } from './statuses/quotes'
import { showStatuses, statusCard, statusContext, statusSource, statusTranslation } from './statuses/read'
import { strikes } from './strikes'
import { suggestions } from './suggestions'
import { tags } from './tags'
import { timelines } from './timelines'
import { trends } from './trends'

/** Every endpoint of the API: the only place where they are registered. */
export const endpoints: readonly Endpoint[] = [
  adminEndpoints,
  accountCredentials,
  accountFamiliarFollowers,
  accountRelationLists,
  accountReads,
  accountRelationships,
  accountSearch,
  accountStatuses,
  emailSubscriptions,
  followByHandle,
  announcements,
  annualReports,
  apps,
  accountArchives,
  archiveImports,
  asyncRefreshes,
  blocks,
  bookmarks,
  conversations,
  collections,
  customEmojis,
  directory,
  domainBlocks,
  emails,
  encryption,
  endorsements,
  favourites,
  featuredTags,
  filterKeywords,
  filterStatuses,
  filters,
  followRequests,
  groupedNotifications,
  instance,
  instanceTexts,
  identityProofs,
  invites,
  lists,
  markers,
  media,
  mutes,
  notificationPolicies,
  notificationRequests,
  notifications,
  oauth,
  oembed,
  v1Filters,
  polls,
  preferences,
  profile,
  push,
  reports,
  scheduledStatuses,
  search,
  signUps,
  newStatus,
  showStatuses,
  statusCard,
  statusContext,
  statusDeletion,
  statusEdits,
  statusInteractions,
  interactingAccounts,
  statusQuotes,
  statusReactions,
  statusSource,
  statusTranslation,
  strikes,
  suggestions,
  tags,
  timelines,
  trends,
].flat()
