"""The token encoder and the alignment on top of it, in PyTorch; and the tokenizer that the marker also has."""

import numpy as np, torch, torch.nn as nn, torch.nn.functional as F, unicodedata, math
H=384; HEADS=12
class Layer(nn.Module):
    def __init__(s):
        super().__init__()
        s.q=nn.Linear(H,H); s.k=nn.Linear(H,H); s.v=nn.Linear(H,H); s.o=nn.Linear(H,H)
        s.n1=nn.LayerNorm(H,eps=1e-12); s.n2=nn.LayerNorm(H,eps=1e-12)
        s.f1=nn.Linear(H,4*H); s.f2=nn.Linear(4*H,H); s.drop=nn.Dropout(0.1)
    def forward(s,x,bias):
        B,T,_=x.shape
        sh=lambda t:t.view(B,T,HEADS,H//HEADS).transpose(1,2)
        q,k,v=sh(s.q(x)),sh(s.k(x)),sh(s.v(x))
        a=torch.softmax(q@k.transpose(-1,-2)/math.sqrt(H//HEADS)+bias,-1)
        a=s.drop(a)
        c=(a@v).transpose(1,2).reshape(B,T,H)
        x=s.n1(x+s.drop(s.o(c)))
        return s.n2(x+s.drop(s.f2(F.gelu(s.f1(x)))))
class Enc(nn.Module):
    def __init__(s,layers,weights):
        super().__init__()
        s.word=nn.Embedding(30522,H); s.pos=nn.Embedding(512,H); s.typ=nn.Embedding(2,H); s.n=nn.LayerNorm(H,eps=1e-12); s.drop=nn.Dropout(0.1)
        s.layers=nn.ModuleList([Layer() for _ in layers])
        W=lambda k:torch.tensor(weights[k].astype(np.float32))
        with torch.no_grad():
            s.word.weight.copy_(W('embeddings.word_embeddings.weight')); s.pos.weight.copy_(W('embeddings.position_embeddings.weight')); s.typ.weight.copy_(W('embeddings.token_type_embeddings.weight'))
            s.n.weight.copy_(W('embeddings.LayerNorm.weight')); s.n.bias.copy_(W('embeddings.LayerNorm.bias'))
            for l,i in zip(s.layers,layers):
                p=f'encoder.layer.{i}.'
                for m,k in ((l.q,'attention.self.query'),(l.k,'attention.self.key'),(l.v,'attention.self.value'),(l.o,'attention.output.dense'),(l.n1,'attention.output.LayerNorm'),(l.f1,'intermediate.dense'),(l.f2,'output.dense'),(l.n2,'output.LayerNorm')):
                    m.weight.copy_(W(p+k+'.weight')); m.bias.copy_(W(p+k+'.bias'))
    def embed(s,ids,pos,typ):
        return s.drop(s.n(s.word(ids)+s.pos(pos)+s.typ(typ)))
class Late(nn.Module):
    """Token alignment between the reference and the answer, with learned importance of the reference's tokens."""
    def __init__(s,layers,weights,ndata):
        super().__init__()
        s.enc=Enc(layers,weights); s.proj=nn.Linear(H,128,bias=False); 
        s.imp=nn.Linear(H,1); s.impa=nn.Linear(H,1); s.qw=nn.Parameter(torch.tensor(-2.0)); s.qa=nn.Parameter(torch.tensor(-2.0))
        s.head=nn.Sequential(nn.Linear(8,24),nn.GELU(),nn.Linear(24,1))
        s.scale=nn.Parameter(torch.zeros(ndata)); s.bias=nn.Parameter(torch.zeros(ndata))
        nn.init.orthogonal_(s.proj.weight)
    def one(s,ids,mask,t):
        pos=torch.arange(ids.shape[1],device=ids.device)[None].expand_as(ids)
        x=s.enc.embed(ids,pos,torch.zeros_like(ids)); full=(1.0-mask[:,None,None,:])*-1e4
        for l in s.enc.layers: x=l(x,full)
        return x,F.normalize(s.proj(x),dim=-1)
    def z(s,r,rm,a,am,q,qm):
        xr,hr=s.one(r,rm,0); xa,ha=s.one(a,am,0); xq,hq=s.one(q,qm,0)
        S=hr@ha.transpose(1,2)
        big=-2.0
        m=(S+(1-am)[:,None,:]*big).amax(2); p=(S+(1-rm)[:,:,None]*big).amax(1)
        qr=((hr@hq.transpose(1,2))+(1-qm)[:,None,:]*big).amax(2); qa=((ha@hq.transpose(1,2))+(1-qm)[:,None,:]*big).amax(2)
        w=torch.exp((s.imp(xr).squeeze(-1)+s.qw*qr).clamp(-6,6))*rm; u=torch.exp((s.impa(xa).squeeze(-1)+s.qa*qa).clamp(-6,6))*am
        rec=(w*m).sum(1)/w.sum(1); prec=(u*p).sum(1)/u.sum(1)
        low=((w*F.relu(0.7-m)).sum(1)/w.sum(1)); 
        mr=F.normalize((xr*rm[...,None]).sum(1),dim=-1); ma=F.normalize((xa*am[...,None]).sum(1),dim=-1); mq=F.normalize((xq*qm[...,None]).sum(1),dim=-1)
        f=torch.stack([rec,prec,low,(mr*ma).sum(-1),(mr*mq).sum(-1),(ma*mq).sum(-1),(am.sum(1)/rm.sum(1)).log(),torch.log(u.sum(1)/w.sum(1))*0.3],-1)
        s.last=f
        return s.head(f).squeeze(-1)
class Tok:
    def __init__(s,path):
        s.v={l.rstrip('\n'):i for i,l in enumerate(open(path,encoding='utf8'))}; s.c={}
    def word(s,w):
        if w in s.c: return s.c[w]
        out=[];i=0
        if len(w)>100: out=[100]
        else:
            while i<len(w):
                j=len(w)
                while j>i:
                    t=w[i:j] if i==0 else '##'+w[i:j]
                    if t in s.v: break
                    j-=1
                if j==i: out=[100];break
                out.append(s.v[t]);i=j
        s.c[w]=out
        return out
    def __call__(s,text,n):
        text=''.join(c for c in unicodedata.normalize('NFD',text.lower()) if unicodedata.category(c)!='Mn')
        words=[];cur=''
        for c in text:
            o=ord(c)
            if c.isspace() or unicodedata.category(c) in('Cc','Cf'):
                if cur: words.append(cur);cur=''
                continue
            p=33<=o<=47 or 58<=o<=64 or 91<=o<=96 or 123<=o<=126 or unicodedata.category(c).startswith('P') or 0x4E00<=o<=0x9FFF or 0x3400<=o<=0x4DBF
            if p:
                if cur: words.append(cur);cur=''
                words.append(c)
            else: cur+=c
        if cur: words.append(cur)
        out=[]
        for w in words:
            out+=s.word(w)
            if len(out)>=n: break
        return out[:n]
