import { Outlet } from 'react-router'
import MuiRoot from '@/theme/mui-root'

/** Around the screens that use MUI; loaded together with the first of them. */
export default function MuiLayout() {
  return (
    <MuiRoot>
      <Outlet />
    </MuiRoot>
  )
}
