import { launch } from './lib/chromium.mjs'
export const U='http://127.0.0.1:18111'
export const start = () => launch()
export async function demo(b, w, h, opts={}, store={}) {
  const c = await b.newContext({viewport:{width:w,height:h},hasTouch:w<1024,locale:'en-GB',...opts})
  await c.addInitScript((s)=>{ if(!localStorage.getItem('locale')) localStorage.setItem('locale','en'); for(const k in s) if(!localStorage.getItem(k)) localStorage.setItem(k,s[k]);
    window.messages=[]; document.addEventListener('DOMContentLoaded',()=>new MutationObserver(rs=>{for(const r of rs)for(const n of r.addedNodes)if(n.textContent&&n.textContent.length<300)window.messages.push(n.textContent)}).observe(document,{childList:true,subtree:true})) }, store)
  const p = await c.newPage()
  p.setDefaultTimeout(8000)
  p.on('pageerror',e=>console.log('  PAGEERR',e.message)); p.on('console',m=>m.type()==='error'&&console.log('  CON',m.text().slice(0,200)))
  p.sent=[]
  p.on('request',r=>{ if(r.method()==='POST'&&r.url().includes('/client/trade/')) p.sent.push([r.url().split('/').pop(), r.postData()]) })
  p.on('response',async r=>{ if(r.url().includes('/client/trade/')&&r.request().method()==='POST'){ try{const j=await r.json(); p.sent.push(['  ->',j.status,j.code, JSON.stringify(j.args??null)])}catch{} } })
  await p.setViewportSize({width:1440,height:900})
  await p.goto(U+'/#/pc/trade?product=201')
  await p.getByRole('button',{name:/Try with demo money/i}).first().click()
  await p.getByRole('button',{name:/^Buy .* lots at/}).waitFor({timeout:15000})
  await p.setViewportSize({width:w,height:h})
  return p
}
export const go=(p,path)=>p.goto(U+'/#'+path)
export const shot=(p,n)=>p.screenshot({path:`/tmp/attack-shots/${n}.png`})
export const buy=async(p,lots)=>{ const f=p.getByLabel('New order'); await f.getByLabel('Volume',{exact:true}).fill(lots); await f.getByRole('button',{name:/^Buy .* lots at/}).click(); await p.waitForTimeout(1500) }
export const attempt=async(n,f)=>{ try{ await f() }catch(e){ console.log('!!',n,e.message.split('\n').slice(0,4).join(' | ')) } }
