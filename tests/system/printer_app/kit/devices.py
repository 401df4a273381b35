# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""IEEE 1284 device ids as printers say them, and the driver that each is to have;
None: none."""

KNOWN = [
    # Zebra: the model tells the resolution, the command set the language.
    ("MANUFACTURER:Zebra Technologies ;COMMAND SET:ZPL;"
     "MODEL:ZTC ZD220-203dpi ZPL;", "zpl-203dpi"),
    ("SERN:99J204300180;MANUFACTURER:Zebra Technologies ;COMMAND SET:ZPL;"
     "MODEL:ZTC ZT411-300dpi ZPL;CLASS:PRINTER;OPTIONS:XML;", "zpl-300dpi"),
    ("MANUFACTURER:Zebra Technologies ;COMMAND SET:ZPL;"
     "MODEL:ZTC ZD420-203dpi ZPL;CLASS:PRINTER;OPTIONS:XML;", "zpl-203dpi"),
    ("MANUFACTURER:Zebra Technologies ;COMMAND SET:ZPL;"
     "MODEL:ZTC ZD420-300dpi ZPL;CLASS:PRINTER;OPTIONS:XML;", "zpl-300dpi"),
    ("MANUFACTURER:Zebra Technologies ;COMMAND SET:ZPL;"
     "MODEL:ZTC ZT230-200dpi ZPL;CLASS:PRINTER;OPTIONS:XML;", "zpl-203dpi"),
    ("MANUFACTURER:Zebra Technologies ;COMMAND SET:ZPL;"
     "MODEL:ZTC ZM600-300dpi ZPL;CLASS:PRINTER;", "zpl-300dpi"),
    ("MANUFACTURER:Zebra Technologies;COMMAND SET:ZPL;"
     "MODEL:ZTC 140XiII-600dpi;CLASS:PRINTER; ", "zpl-600dpi"),
    ("MFG:Zebra Technologies;CMD:ZPL;MDL:ZTC ZT410-600dpi ZPL;CLS:PRINTER;",
     "zpl-600dpi"),
    ("MFG:Zebra Technologies;CMD:ZPL;MDL:ZTC GK420d;CLS:PRINTER;", "zpl-203dpi"),
    ("MFG:Zebra Technologies;CMD:ZPL;MDL:ZTC GX430t;CLS:PRINTER;", "zpl-300dpi"),
    ("MFG:Zebra Technologies;CMD:ZPL;MDL:LP2844-Z;CLS:PRINTER;", "zpl-203dpi"),
    ("MFG:Zebra Technologies;CMD:EPL,ZPL;MDL:ZP 505;", "zpl-203dpi"),
    ("MANUFACTURER:Zebra Technologies ;COMMAND SET:EPL;"
     "MODEL:ZTC GC420d (EPL);CLASS:PRINTER;", "epl2-203dpi"),
    ("MANUFACTURER:Zebra Technologies ;COMMAND SET:EPL;"
     "MODEL:ZTC ZP 450-200dpi;CLASS:PRINTER;", "epl2-203dpi"),
    ("MANUFACTURER:Zebra Technologies ;COMMAND SET:EPL;"
     "MODEL:ZTC GX430t (EPL);CLASS:PRINTER;", "epl2-300dpi"),
    ("MFG:Zebra ;CMD:EPL2;MDL:LP2844;CLS:PRINTER;", "epl2-203dpi"),
    ("MFG:Eltron;CMD:EPL2;MDL:TLP3842;CLS:PRINTER;", "epl2-300dpi"),
    # No command set: by what is known of the model.
    ("MFG:Zebra;MDL:LP2844;CLS:PRINTER;", "epl2-203dpi"),
    ("MFG:Zebra;MDL:LP2844-Z;CLS:PRINTER;", "zpl-203dpi"),
    ("MFG:EPSON;MDL:TM-T88III;CLS:PRINTER;", "escpos-80mm-180dpi"),
    ("MFG:Zebra;MDL:P330i;CLS:PRINTER;", None),
    ("MFG:Somebody;MDL:A-300dpi;CLS:PRINTER;", None),
    # TSC and others with TSPL.
    ("MFG:TSC;CMD:TSPL2;MDL:TTP-244 Pro;CLS:PRINTER;", "tspl-203dpi"),
    ("MFG:TSC;CMD:TSPL2;MDL:TTP-343C;CLS:PRINTER;", "tspl-300dpi"),
    ("MFG:TSC;CMD:TSPL-EZ;MDL:TE310;CLS:PRINTER;", "tspl-300dpi"),
    ("MFG:Somebody;CMD:TSPL;MDL:label printer;CLS:PRINTER;", "tspl-203dpi"),
    # Epson and others with ESC/POS.
    ("MFG:EPSON;CMD:ESC/POS;MDL:TM-T88V;CLS:PRINTER;DES:EPSON TM-T88V;"
     "CID:EpsonTM00000001;", "escpos-80mm-180dpi"),
    ("MFG:EPSON;CMD:ESC/POS;MDL:TM-m30II;CLS:PRINTER;DES:EPSON TM-m30II",
     "escpos-80mm"),
    ("MFG:EPSON;CMD:ESC/POS;MDL:TM-T20II;CLS:PRINTER;", "escpos-80mm"),
    ("MFG:EPSON;CMD:ESC/POS;MDL:TM-P20;CLS:PRINTER;", "escpos-58mm"),
    ("MFG:EPSON;CMD:ESC/POS;MDL:TM-U220B;CLS:PRINTER;", None),
    ("MFG:Star;CMD:STAR;MDL:TSP143 (STR_T-001);CLS:PRINTER;", None),
    # Lasers, and what only looks like one.
    ("MFG:Hewlett-Packard;CMD:PJL,MLC,PCL,POSTSCRIPT;MDL:HP LaserJet 1200;"
     "CLS:PRINTER;DES:Hewlett-Packard LaserJet 1200;", "pcl5e"),
    ("MFG:Hewlett-Packard;CMD:PJL,PML,PCLXL,POSTSCRIPT,PCL;"
     "MDL:HP LaserJet P2055dn;CLS:PRINTER;", "pcl5e"),
    ("MFG:Hewlett-Packard;CMD:PJL,BIDI-ECP,PCLXL,PCL,PDF,POSTSCRIPT;"
     "MDL:hp LaserJet 4250;CLS:PRINTER;", "pcl5e"),
    ("MFG:Hewlett-Packard;CMD:ACL;MDL:HP LaserJet 1020;CLS:PRINTER;", None),
    ("MFG:HP;CMD:MLC,PCL,PML;MDL:DESKJET 990C;CLS:PRINTER;", None),
    ("MFG:HP;CMD:PCL3GUI,PJL,Automatic;MDL:Officejet 6600;CLS:PRINTER;", None),
    ("MFG:Brother;CMD:PJL,PCL,PCLXL;MDL:HL-5250DN;CLS:PRINTER;", "pcl5e"),
    ("MFG:A;MDL:B;CMD:URF,PWGRaster;", "pwg"),
    ("MFG:EPSON;CMD:ESCPL2,BDC,D4;MDL:Stylus C86;CLS:PRINTER;", None),
]
