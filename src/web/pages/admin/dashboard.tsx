import * as z from 'zod'
import { DashboardView } from '../../components/admin/dashboard'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import { loadDashboard } from './load-dashboard'

/** Overview of waiting decisions and of figures about the server. */
export const dashboardPage = memberPage({
  kind: 'admin',
  path: paths.dashboard,
  title: 'admin.dashboard.dashboard',
  access: 'viewDashboard',
  menu: { label: 'admin.dashboard.dashboard', order: 10 },
  form: z.object({}),
  script: 'charts.js',
  submissions: [],
  notices: {},
  load: loadDashboard,
  view: (page) => <DashboardView page={page} />,
})
