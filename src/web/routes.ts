import { Hono } from 'hono'
import type { AppEnv } from '../ports/app-env'
import { memberPageRoutes } from './member-pages/member-page'
import { aboutRoutes } from './pages/about'
import { accountRoutes } from './pages/accounts/routes'
import { adminPages } from './pages/admin'
import { annualReportRoutes } from './pages/annual-report'
import { appRoutes } from './pages/apps'
import { authorizeRoutes } from './pages/authorize/page'
import { collectionRoutes } from './pages/collection'
import { columnRoutes } from './pages/columns/routes'
import { draftRoutes } from './pages/compose/drafts'
import { composeRoutes } from './pages/compose/page'
import { confirmationRoutes } from './pages/confirmation'
import { directoryRoutes } from './pages/directory'
import { documentPageRoutes } from './pages/document'
import { embedRoutes } from './pages/embed'
import { exploreRoutes } from './pages/explore/page'
import { interactPages } from './pages/interact'
import { remoteInteractionRoutes } from './pages/interact/remote'
import { keyboardRoutes } from './pages/keyboard'
import { landingRoutes } from './pages/landing'
import { messageRoutes } from './pages/messages/routes'
import { offlineRoutes } from './pages/offline'
import { passwordResetRoutes } from './pages/password-reset'
import { personActRoutes } from './pages/people/acts'
import { featuredRoutes } from './pages/people/featured'
import { peopleListRoutes } from './pages/people/lists'
import { personNoteRoutes } from './pages/people/note'
import { personQuestionRoutes } from './pages/people/questions'
import { personReportRoutes } from './pages/people/report'
import { shownPostsRoutes } from './pages/people/shown-posts'
import { boostRoutes } from './pages/post-acts/boost'
import { filterRoutes } from './pages/post-acts/filter'
import { reactRoutes } from './pages/post-acts/react'
import { postPartRoutes } from './pages/post-parts/routes'
import { postsRoutes } from './pages/posts'
import { profileRoutes } from './pages/profile/page'
import { filteredNotificationRoutes } from './pages/requests/filtered-notifications'
import { followRequestRoutes } from './pages/requests/follow-requests'
import { searchRoutes } from './pages/search/page'
import { settingsPages } from './pages/settings'
import { signInRoutes } from './pages/sign-in'
import { signInStepRoutes } from './pages/sign-in-step'
import { signUpRoutes } from './pages/sign-up/page'
import { tagRoutes } from './pages/tag'
import { actRoutes } from './pages/timelines/acts'
import { announcementRoutes } from './pages/timelines/announcements'
import { catchUpRoutes } from './pages/timelines/catch-up'
import { homeRoutes } from './pages/timelines/home'
import { homeAndLocalRoutes } from './pages/timelines/home-and-local'
import { keptRoutes } from './pages/timelines/kept'
import { listRoutes } from './pages/timelines/lists'
import { notificationRoutes } from './pages/timelines/notifications'
import { questionRoutes } from './pages/timelines/questions'
import { singlePostRoutes } from './pages/timelines/single-post'
import { unsubscribeRoutes } from './pages/unsubscribe'
import { menuRoutes } from './pages/you/menu'
import { placeMenuRoutes } from './pages/you/place-menus'

/** Routes of all pages and of their forms. */
export function pageRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const parts = [
    accountRoutes,
    actRoutes,
    aboutRoutes,
    announcementRoutes,
    annualReportRoutes,
    appRoutes,
    authorizeRoutes,
    boostRoutes,
    collectionRoutes,
    composeRoutes,
    draftRoutes,
    confirmationRoutes,
    directoryRoutes,
    documentPageRoutes,
    embedRoutes,
    exploreRoutes,
    filteredNotificationRoutes,
    filterRoutes,
    followRequestRoutes,
    homeRoutes,
    catchUpRoutes,
    homeAndLocalRoutes,
    columnRoutes,
    keptRoutes,
    keyboardRoutes,
    landingRoutes,
    listRoutes,
    menuRoutes,
    messageRoutes,
    notificationRoutes,
    offlineRoutes,
    passwordResetRoutes,
    featuredRoutes,
    peopleListRoutes,
    personActRoutes,
    placeMenuRoutes,
    personNoteRoutes,
    personQuestionRoutes,
    shownPostsRoutes,
    personReportRoutes,
    postPartRoutes,
    postsRoutes,
    profileRoutes,
    questionRoutes,
    reactRoutes,
    remoteInteractionRoutes,
    searchRoutes,
    signInRoutes,
    signInStepRoutes,
    signUpRoutes,
    singlePostRoutes,
    tagRoutes,
    unsubscribeRoutes,
  ]
  app.route('/', memberPageRoutes([...settingsPages, ...adminPages, ...interactPages]))
  for (const part of parts) app.route('/', part())
  return app
}
